#pragma once
// Precision plan and findings of a draft, quick enough for every key press.

#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "engine/plan/job.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/plan.h"

namespace mantissa {

/// Plans a preset that is being edited. A base model's facts (family, file types) are cached while
/// the path and its modification time stay the same, a card's for this object's lifetime, so a plan
/// costs well below a millisecond. Thread-safe.
class DraftPlanner {
 public:
  /// precision_json and findings; no memory and no modules, and without findings that need the
  /// modules by path (plan_training adds those). A base that can't be read yet is assumed to be of
  /// the preset's family, SDXL if that is auto.
  PlanReport plan(const JobSpec& job);

 private:
  ModelFacts facts_of(const JobSpec& job);
  DeviceFacts device_of(const std::string& name);

  std::mutex mutex_;
  std::map<std::string, DeviceFacts> devices_;
  std::filesystem::path base_;
  std::filesystem::file_time_type time_{};
  std::optional<ModelFacts> facts_;
};

/// Plans a job: DraftPlanner::plan, plan_training, or a scripted one.
using PlanFunction = std::function<PlanReport(const JobSpec&)>;

/// A preset and its plan.
struct FixedPreset {
  Preset preset;
  PlanReport report;
};
/// The job's preset with the fixes of all refusals and adjustments, repeated while a fix reveals
/// further ones; unchanged if there is nothing to fix.
FixedPreset with_safe_fixes(const PlanFunction& planner, const JobSpec& job);

}  // namespace mantissa
