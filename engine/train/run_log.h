#pragma once
// defines: RunLog

#include <fstream>
#include <memory>
#include <string>

#include "engine/store/store.h"
#include "engine/train/job.h"
#include "engine/train/run.h"

namespace mantissa {

/// Where everything a run says goes: the caller's observer, the runs database, and log.txt.
class RunLog {
 public:
  RunLog(RunObserver& observer, RunStore& store, const RunFolder& folder);
  void state(RunState state);
  void progress(std::string_view phase, std::int64_t done, std::int64_t total) {
    observer_.on_progress(phase, done, total);
  }
  void line(int level, const std::string& text);
  void plan(const PlanReport& report);
  void step(const StepRecord& record);
  void health(const HealthRecord& record);
  void non_finite(const NonFiniteReport& report, int level);
  void validation(const ValidationRecord& record);
  void sample(const SampleRecord& record);
  void saved(const std::filesystem::path& path, std::int64_t step, bool checkpoint);
  RunStore& store() { return store_; }

 private:
  RunObserver& observer_;
  RunStore& store_;
  std::string id_;
  std::ofstream file_;
};

/// Name of a state in the database: "preparing", "training", …
std::string state_name(RunState state);

}  // namespace mantissa
