#include "engine/precision/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/precision/catalogue_rules.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

/// A text of the table with its values. A placeholder without a value stays.
Message filled(std::string_view text, const FindingValues& values) {
  std::vector<Message> in_order;
  for (const std::string_view name : place_names(text)) {
    const auto at = std::find_if(values.begin(), values.end(),
                                 [name](const FindingValue& v) { return v.name == name; });
    in_order.push_back(at == values.end() ? Message::verbatim(fmt::format("{{{}}}", name))
                                          : at->value);
  }
  return Message(std::string(text), std::move(in_order));
}

/// A value without quotes: fp16, not "fp16".
std::string plain(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string_view area_title(CatalogueArea area) {
  switch (area) {
    case CatalogueArea::loss_scaling:
      return "Loss scaling";
    case CatalogueArea::hardware:
      return "Hardware and FP8 products";
    case CatalogueArea::quantised_base:
      return "FP8 and quantised base models";
    case CatalogueArea::adapters:
      return "Adapters";
    case CatalogueArea::optimizers:
      return "BF16 and optimizers";
    case CatalogueArea::diffusion:
      return "Diffusion numerics";
    case CatalogueArea::data:
      return "Training data";
    case CatalogueArea::graph:
      return "Graph";
  }
  return "?";
}

std::string_view found_at_text(FoundAt when) {
  switch (when) {
    case FoundAt::plan:
      return "before launch, from preset, model and device";
    case FoundAt::base:
      return "before launch, from the base model's names and configs";
    case FoundAt::model:
      return "before launch, from the model's modules";
    case FoundAt::run:
      return "when the data, the step or the file shows it";
    case FoundAt::file:
      return "when the preset is read";
    case FoundAt::never:
      return "can't happen";
  }
  return "?";
}

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> entries = [] {
    std::vector<CatalogueEntry> all;
    for (const auto rows :
         {loss_scaling_entries(), hardware_entries(), quantised_base_entries(), adapter_entries(),
          optimizer_entries(), diffusion_entries(), graph_entries(), data_entries()}) {
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
  }();
  return entries;
}

const CatalogueEntry* find_catalogue_entry(std::string_view id) {
  const auto entries = catalogue();
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [id](const CatalogueEntry& e) { return e.id == id; });
  return at == entries.end() ? nullptr : &*at;
}

const CatalogueEntry& catalogue_entry(std::string_view id) {
  if (const CatalogueEntry* entry = find_catalogue_entry(id)) {
    return *entry;
  }
  throw Error(Message::verbatim(fmt::format("{} is not an entry of the precision catalogue", id)));
}

PrecisionFinding make_finding(const CatalogueEntry& entry, const Preset& before,
                              const Conflict& conflict) {
  PrecisionFinding finding;
  finding.id = entry.id;
  finding.verdict = conflict.verdict;
  const std::string_view text = conflict.verdict == Verdict::works     ? entry.here
                                : conflict.verdict == Verdict::refused ? entry.refusal
                                                                       : entry.message;
  finding.message = filled(text, conflict.values);
  for (const std::string_view field : entry.fields) {
    if (!field.empty()) {
      finding.fields.emplace_back(field);
    }
  }
  nlohmann::json patch = nlohmann::json::object();
  std::string changes;
  for (const PresetChange& change : diff_presets(before, conflict.fixed)) {
    patch[change.key] = change.b;
    changes += fmt::format("{}{} {} -> {}", changes.empty() ? "" : ", ", change.key,
                           plain(change.a), plain(change.b));
    if (std::find(finding.fields.begin(), finding.fields.end(), change.key) ==
        finding.fields.end()) {
      finding.fields.push_back(change.key);
    }
  }
  if (conflict.verdict == Verdict::adjusted && !changes.empty()) {
    finding.changes = std::move(changes);
  }
  finding.fix_json = patch.dump();
  return finding;
}

std::vector<PrecisionFinding> explained_findings(const PrecisionPlan& plan) {
  const PrecisionFacts facts{plan.effective, plan.model, plan.device};
  std::vector<PrecisionFinding> findings;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.concerns != nullptr && entry.concerns(facts)) {
      findings.push_back(make_finding(entry, plan.effective, {Verdict::works, plan.effective, {}}));
    }
  }
  return findings;
}

}  // namespace mantissa
