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

}  // namespace mantissa
