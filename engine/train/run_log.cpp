#include "engine/train/run_log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/core/paths.h"

namespace mantissa {

std::string state_name(RunState state) {
  switch (state) {
    case RunState::idle:
      return "idle";
    case RunState::preparing:
      return "preparing";
    case RunState::training:
      return "training";
    case RunState::pausing:
      return "pausing";
    case RunState::paused:
      return "paused";
    case RunState::stopping:
      return "stopping";
    case RunState::finished:
      return "finished";
    case RunState::failed:
      return "failed";
  }
  return "idle";
}

RunLog::RunLog(RunObserver& observer, RunStore& store, const RunFolder& folder)
    : observer_(observer), store_(store), id_(folder.id()), file_(folder.log(), std::ios::app) {}

void RunLog::state(RunState state) {
  // Final states are written by the caller, who knows stopped from failed.
  if (state != RunState::finished && state != RunState::failed) {
    store_.set_state(id_, state_name(state));
  }
  observer_.on_state(state);
}

void RunLog::line(int level, const std::string& text) {
  static constexpr std::array<const char*, 4> kNames{"debug", "info", "warning", "error"};
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  file_ << fmt::format("{:%Y-%m-%d %H:%M:%S} {} {}\n", fmt::gmtime(now),
                       kNames[static_cast<std::size_t>(std::clamp(level, 0, 3))], text)
        << std::flush;
  store_.add_event(id_, level, text);
  observer_.on_log(level, text);
}

void RunLog::plan(const PlanReport& report) {
  store_.set_plan(id_, report.precision_json);
  observer_.on_plan(report);
}

void RunLog::step(const StepRecord& r) {
  store_.add_step(id_, r);
  observer_.on_step(r);
}

void RunLog::health(const HealthRecord& record) {
  store_.add_health(id_, record);
  observer_.on_health(record);
}

void RunLog::non_finite(const NonFiniteReport& report, int level) {
  line(level, fmt::format("step {}: first non-finite: {}", report.step, report.text()));
  observer_.on_non_finite(report);
}

void RunLog::validation(const ValidationRecord& record) {
  store_.add_validation(id_, record);
  observer_.on_validation(record);
}

void RunLog::sample(const SampleRecord& r) {
  store_.add_sample(id_, {r.step, r.prompt_index, r.prompt, path_to_utf8(r.path)});
  observer_.on_sample(r);
}

void RunLog::saved(const std::filesystem::path& path, std::int64_t step, bool checkpoint) {
  if (checkpoint) {
    std::int64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      bytes += static_cast<std::int64_t>(entry.file_size());
    }
    store_.add_checkpoint(id_, {step, path_to_utf8(path), bytes});
  }
  observer_.on_saved(path, step);
}

}  // namespace mantissa
