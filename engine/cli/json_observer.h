#pragma once
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "engine/core/error.h"
#include "engine/run/forwarding_observer.h"

namespace mantissa {

nlohmann::ordered_json plan_event(const PlanReport& plan);
nlohmann::ordered_json step_event(const StepRecord& step);
nlohmann::ordered_json health_event(const HealthRecord& record);
nlohmann::ordered_json validation_event(const ValidationRecord& record);
nlohmann::ordered_json rates_event(const RunRates& rates);
nlohmann::ordered_json pause_event(const PauseRecord& pause);
nlohmann::ordered_json done_event(const RunResult& result);
nlohmann::ordered_json error_event(int exit, const std::string& id, const std::string& message);

/// Writes one object on a line: valid JSON that is safe to display, with hidden characters as
/// \uXXXX and invalid UTF-8 bytes as the text \xNN.
void write_event(std::ostream& out, nlohmann::ordered_json event);

/// Writes events to a stream, and passes them on to the observer for human-readable text.
class JsonObserver : public ForwardingObserver {
 public:
  JsonObserver(std::ostream& out, RunObserver& people) : ForwardingObserver(people), out_(out) {}

  void on_plan(const PlanReport& plan) override;
  void on_settings(const Preset& preset) override;
  void on_step(const StepRecord& step) override;
  void on_health(const HealthRecord& record) override;
  void on_non_finite(const NonFiniteReport& report) override;
  void on_validation(const ValidationRecord& record) override;
  void on_rates(const RunRates& rates) override;
  void on_pause(const PauseRecord& pause) override;
  void on_sample(const SampleRecord& sample) override;
  void on_saved(const std::filesystem::path& path, std::int64_t step) override;
  void on_disk_full(const FullDisk& full) override;

 private:
  std::ostream& out_;
};

}  // namespace mantissa
