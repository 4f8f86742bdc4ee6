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

/// Plans a preset that is being edited. What a base model tells (family, file types) is read once
/// and kept while the path and its time of change stay the same, and what a card can do for as long
/// as this object lives, so a plan costs well below a millisecond. May be called from any thread.
class DraftPlanner {
 public:
  /// precision_json and findings; no memory and no modules, and without findings that need the
  /// modules by path (plan_training adds those). A base that can't be read yet is taken for one of
  /// the preset's family, SDXL where that is auto.
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

/// What gives a job's plan: DraftPlanner::plan, plan_training, or a scripted one.
using PlanFunction = std::function<PlanReport(const JobSpec&)>;

/// A preset and what its plan says.
struct FixedPreset {
  Preset preset;
  PlanReport report;
};
/// The job's preset with the fixes of everything refused and adjusted, repeated while a fix shows
/// what stood behind it: as it is where there is nothing to fix.
FixedPreset with_safe_fixes(const PlanFunction& planner, const JobSpec& job);

}  // namespace mantissa
