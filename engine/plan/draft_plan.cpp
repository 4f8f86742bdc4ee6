#include "engine/plan/draft_plan.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/weights.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/job_precision.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

/// True if a fix of a refusal or adjustment was applied.
bool apply_findings(Preset& preset, const std::vector<Finding>& findings) {
  bool applied = false;
  for (const Finding& f : findings) {
    if ((f.verdict == Verdict::refused || f.verdict == Verdict::adjusted) && f.fix_json != "{}") {
      apply_patch(preset, nlohmann::json::parse(f.fix_json));
      applied = true;
    }
  }
  return applied;
}

}  // namespace

ModelFacts DraftPlanner::facts_of(const JobSpec& job) {
  const std::lock_guard lock(mutex_);
  std::error_code error;
  try {
    const std::filesystem::path base = resolve_base(job.base);
    const auto time = std::filesystem::last_write_time(base, error);
    if (!facts_ || base != base_ || time != time_) {
      facts_ = model_facts(WeightSource::open(base));
      base_ = base;
      time_ = time;
    }
    return *facts_;
  } catch (const Error&) {
    // Not chosen yet, or not a model: starting reports it. The family alone is already informative.
    ModelFacts facts;
    if (job.preset.model.family != ModelFamily::automatic) {
      take_family(facts, family_of(job.preset.model.family));
    }
    return facts;
  }
}

DeviceFacts DraftPlanner::device_of(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = devices_.find(name);
  if (known != devices_.end()) {
    return known->second;
  }
  DeviceFacts facts;
  try {
    facts = device_facts(devices_of(name).front());  // several cards are of one model
  } catch (const Error&) {
    // The device page and starting report why; the CPU's rules are used instead.
  }
  return devices_.emplace(name, facts).first->second;
}

PlanReport DraftPlanner::plan(const JobSpec& job) {
  const ModelFacts facts = facts_of(job);
  const PrecisionPlan plan = make_precision_plan(job.preset, facts, device_of(job.device));
  PlanReport report;
  report.family = facts.family;
  report.precision_json = plan.json();
  report.findings = told_findings(plan.findings);
  return report;
}

FixedPreset with_safe_fixes(const PlanFunction& planner, const JobSpec& job) {
  constexpr int kRounds = 5;
  JobSpec fixed = job;
  PlanReport report = planner(fixed);
  for (int round = 0; round < kRounds && apply_findings(fixed.preset, report.findings); ++round) {
    report = planner(fixed);
  }
  return {std::move(fixed.preset), std::move(report)};
}

}  // namespace mantissa
