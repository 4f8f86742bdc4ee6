#pragma once

#include "engine/run/run.h"

namespace mantissa {

/// Passes every event on to another observer, which must outlive it. Derived classes override those
/// that they also use.
class ForwardingObserver : public RunObserver {
 public:
  explicit ForwardingObserver(RunObserver& next) : next_(next) {}

  void on_begun(const std::string& run_id, const std::filesystem::path& folder) override {
    next_.on_begun(run_id, folder);
  }
  void on_state(RunState state) override { next_.on_state(state); }
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    next_.on_progress(phase, done, total);
  }
  void on_log(LogLevel level, const Message& line) override { next_.on_log(level, line); }
  void on_plan(const PlanReport& plan) override { next_.on_plan(plan); }
  void on_settings(const Preset& preset) override { next_.on_settings(preset); }
  void on_step(const StepRecord& step) override { next_.on_step(step); }
  void on_health(const HealthRecord& record) override { next_.on_health(record); }
  void on_validation(const ValidationRecord& record) override { next_.on_validation(record); }
  void on_rates(const RunRates& rates) override { next_.on_rates(rates); }
  void on_pause(const PauseRecord& pause) override { next_.on_pause(pause); }
  void on_non_finite(const NonFiniteReport& report) override { next_.on_non_finite(report); }
  void on_sample(const SampleRecord& sample) override { next_.on_sample(sample); }
  void on_saved(const std::filesystem::path& path, std::int64_t step) override {
    next_.on_saved(path, step);
  }
  void on_disk_full(const FullDisk& full) override { next_.on_disk_full(full); }

 private:
  RunObserver& next_;
};

}  // namespace mantissa
