#pragma once

#include "engine/plan/planned_run.h"
#include "engine/run/run.h"

namespace mantissa {

/// Passes progress and notices of planning on to a run's observer.
class PlanEvents : public PlanObserver {
 public:
  explicit PlanEvents(RunObserver& observer) : observer_(observer) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    observer_.on_progress(phase, done, total);
  }
  void on_notice(LogLevel level, const Message& line) override { observer_.on_log(level, line); }

 private:
  RunObserver& observer_;
};

}  // namespace mantissa
