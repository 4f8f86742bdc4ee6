#pragma once
// The events of a run that another process trains, as lines of text between the two.

#include <exception>
#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "engine/run/run.h"

namespace mantissa {

/// Writes every event to a stream, each as a line of JSON with all fields() of its record, safe to
/// display.
class RunRelay : public RunObserver {
 public:
  explicit RunRelay(std::ostream& out) : out_(out) {}

  void on_begun(const std::string& run_id, const std::filesystem::path& folder) override;
  void on_state(RunState state) override;
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override;
  void on_log(LogLevel level, const Message& line) override;
  void on_plan(const PlanReport& plan) override;
  void on_settings(const Preset& preset) override;
  void on_step(const StepRecord& step) override;
  void on_health(const HealthRecord& record) override;
  void on_validation(const ValidationRecord& record) override;
  void on_rates(const RunRates& rates) override;
  void on_pause(const PauseRecord& pause) override;
  void on_non_finite(const NonFiniteReport& report) override;
  void on_sample(const SampleRecord& sample) override;
  void on_saved(const std::filesystem::path& path, std::int64_t step) override;
  void on_disk_full(const FullDisk& full) override;

  /// The run's end: with a result, or with what run_training threw (classify).
  void ended(const RunResult& result);
  void failed(const std::exception_ptr& why);

 private:
  std::ostream& out_;
};

/// Repeats the calls in this process.
class RelayedRun {
 public:
  explicit RelayedRun(RunObserver& observer);
  ~RelayedRun();
  RelayedRun(const RelayedRun&) = delete;
  RelayedRun& operator=(const RelayedRun&) = delete;

  /// A line of RunRelay. Throws Error for any other text.
  void take(std::string_view line);
  /// Whether the lines included the run's end.
  bool has_ended() const;
  /// Once it has ended: the run's result, or throws its failure (raise).
  RunResult result() const;

 private:
  void pass_on(const nlohmann::json& event);

  struct End;
  RunObserver& observer_;
  std::unique_ptr<End> end_;
};

}  // namespace mantissa
