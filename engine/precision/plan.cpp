#include "engine/precision/plan.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/precision/catalogue.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/run_findings.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Applies the catalogue's adjustments, the plan's foundations first, until nothing changes.
void apply_adjustments(PrecisionPlan& plan) {
  std::vector<const CatalogueEntry*> entries;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.find != nullptr && entry.verdicts.find('A') != std::string_view::npos) {
      entries.push_back(&entry);
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto* a, const auto* b) { return a->rank < b->rank; });
  bool changed = true;
  for (std::size_t round = 0; changed && round < entries.size(); ++round) {
    changed = false;
    for (const CatalogueEntry* entry : entries) {
      const auto conflict = entry->find({plan.effective, plan.model, plan.device});
      if (conflict && conflict->verdict == Verdict::adjusted && conflict->fixed != plan.effective) {
        plan.findings.push_back(make_finding(*entry, plan.effective, *conflict));
        plan.effective = conflict->fixed;
        changed = true;
      }
    }
  }
}

/// Remaining findings on the effective preset: notices, warnings and refusals.
void add_findings(PrecisionPlan& plan) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.find == nullptr) {
      continue;
    }
    if (const auto conflict = entry.find({plan.effective, plan.model, plan.device})) {
      plan.findings.push_back(make_finding(entry, plan.effective, *conflict));
    }
  }
}

/// Findings of the base model alone: a training adapter avoids them, and one that is made needs
/// none.
void add_model_findings(PrecisionPlan& plan) {
  const bool matters =
      !plan.model.helped && !trains_vae(plan.effective) && !trains_training_adapter(plan.effective);
  if (!plan.model.distilled.empty() && matters) {
    plan.findings.push_back(
        distilled_base(plan.effective, plan.model.distilled, plan.model.distilled_evidence));
  }
}

void sort_findings(std::vector<PrecisionFinding>& findings) {
  const auto place = [](const PrecisionFinding& f) { return &catalogue_entry(f.id); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

}  // namespace

std::string PrecisionPlan::summary() const {
  const Preset::Precision& p = effective.precision;
  return fmt::format("W {} · compute {} · adapter {} · grad {} · state {}",
                     enum_name(p.weights.denoiser), enum_name(p.compute), enum_name(p.adapter),
                     enum_name(p.gradients), enum_name(p.optimizer_state));
}

const PrecisionFinding* PrecisionPlan::refusal() const {
  for (const PrecisionFinding& f : findings) {
    if (f.verdict == Verdict::refused) {
      return &f;
    }
  }
  return nullptr;
}

PrecisionPlan make_precision_plan(const Preset& preset, const ModelFacts& model,
                                  const DeviceFacts& device) {
  PrecisionPlan plan;
  plan.effective = preset;
  plan.model = model;
  plan.device = device;
  apply_adjustments(plan);
  add_findings(plan);
  add_model_findings(plan);
  sort_findings(plan.findings);
  plan.rules = PrecisionRules(plan.effective, model.family);
  return plan;
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
