#include "engine/run/run_log.h"

#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/io/generation.h"
#include "engine/plan/planned_run.h"
#include "engine/preset/preset_io.h"
#include "engine/run/event_file.h"
#include "engine/run/run_name.h"
#include "engine/run/run_notes.h"
#include "engine/store/reader.h"

namespace mantissa {
namespace {

/// Since 1970.
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

RunLog::RunLog(RunObserver& observer, RunStore& store, const RunFolder& folder, DiskWait& disk)
    : observer_(observer),
      store_(&store),
      disk_(disk),
      id_(folder.id()),
      path_(folder.log()),
      events_folder_(folder.event_files()) {}

void RunLog::keep(const std::function<void()>& write) {
  disk_.keep(write);
  if (const auto wait = disk_.take_ended()) {
    pause({wait->step, true}, disk_wait_note(wait->step, wait->waited, path_to_utf8(wait->folder)));
  }
}

/// A run that is stopped while it waits loses the rest of its log rather than its result.
void RunLog::keep_log(const std::function<void()>& write) {
  if (store_ == nullptr) {
    return;
  }
  try {
    keep(write);
  } catch (const DiskFull& full) {
    if (!disk_.gave_up()) {
      throw;
    }
    observer_.on_log(LogLevel::warning, full.message());
  }
}

/// The store queues a row that it can't write yet, so a retry only writes.
void RunLog::record(const std::function<void()>& queue) {
  if (store_ == nullptr) {
    return;
  }
  bool queued = false;
  keep_log([&] {
    if (std::exchange(queued, true)) {
      store_->flush();
    } else {
      queue();
    }
  });
}

void RunLog::event(std::int64_t step, const std::string& record) {
  keep_log([&] {
    if (!events_.empty()) {
      append_text(events_, record);
      return;
    }
    const double now = seconds_now();
    make_folders(events_folder_);
    const std::filesystem::path file = unused_event_file(events_folder_, now);
    append_text(file, event_file_start(now, step) + record);
    events_ = file;
  });
}

void RunLog::state(RunState state) {
  disk_.set_state(state);
  // Final states are written by the caller, who distinguishes stopped from failed.
  if (state != RunState::finished && state != RunState::failed) {
    record([&] { store_->set_state(id_, state_name(state)); });
  }
  observer_.on_state(state);
}

void RunLog::line(LogLevel level, const Message& said) {
  write(level, said);
  observer_.on_log(level, said);
}

void RunLog::write(LogLevel level, const Message& said) {
  const std::string text = printable(said.text());
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string written =
      fmt::format("{:%Y-%m-%d %H:%M:%S} {} {}\n", fmt::gmtime(now), log_level_name(level), text);
  keep_log([&] { append_text(path_, written); });
  record([&] { store_->add_event(id_, level, said); });
}

void RunLog::last_line(LogLevel level, const Message& said) {
  try {
    line(level, said);
  } catch (const DiskFull&) {
    observer_.on_log(level, said);
  }
}

void RunLog::finish(const std::string& final_state, RunState shown) {
  try {
    record([&] { store_->set_state(id_, final_state); });
    sync();
  } catch (const DiskFull& full) {
    if (shown != RunState::failed) {
      throw;
    }
    observer_.on_log(LogLevel::warning, full.message());
  }
  observer_.on_state(shown);
}

void RunLog::move_to(const RunFolder& folder) {
  path_ = folder.log();
  events_folder_ = folder.event_files();
  events_.clear();
  try {
    store_->move_run(id_, path_to_utf8(folder.path()), path_to_utf8(folder.lock()));
  } catch (const DiskFull&) {  // it keeps the row until it can
  }
  observer_.on_begun(id_, folder.path());
  observer_.on_log(LogLevel::info,
                   message<"the run continues in {folder}">(path_to_utf8(folder.path())));
}

void RunLog::resumed_at(std::int64_t step) {
  disk_.set_step(step);
  resumed_ = true;
  record([&] {
    store_->resume_run(id_, step, state_name(RunState::preparing), host_name(), process_id());
  });
}

void RunLog::plan(const PlannedRun& run) {
  record([&] { store_->set_plan(id_, run.report.precision_json, generation_key(run.source)); });
  observer_.on_plan(run.report);
}

void RunLog::settings(const Preset& preset) {
  record([&] { store_->set_settings(id_, run_name(preset), to_json(preset, WriteMode::full)); });
  observer_.on_settings(preset);
}

void RunLog::step(const StepRecord& r) {
  disk_.set_step(r.step);
  record([&] { store_->add_step(id_, r); });
  if (events_wanted_) {
    event(r.step, event_record(seconds_now(), r.step, event_scalars(r)));
  }
  observer_.on_step(r);
}

void RunLog::health(const HealthRecord& health) {
  record([&] { store_->add_health(id_, health); });
  observer_.on_health(health);
}

void RunLog::non_finite(const NonFiniteReport& report, LogLevel level) {
  line(level, message<"step {step}: first non-finite: {found}">(report.step, report.text()));
  observer_.on_non_finite(report);
}

void RunLog::validation(const ValidationRecord& row) {
  record([&] { store_->add_validation(id_, row); });
  if (events_wanted_) {
    event(row.step, event_record(seconds_now(), row.step, event_scalars(row)));
  }
  observer_.on_validation(row);
}

void RunLog::image_losses(const ImageLossRecord& record) {
  this->record([&] { store_->add_image_losses(id_, record); });
}

void RunLog::rates(const RunRates& rates) {
  record([&] { store_->add_rates(id_, rates); });
  line(LogLevel::debug, rates_note(rates));
  observer_.on_rates(rates);
}

void RunLog::pause(const PauseRecord& pause, const Message& said) {
  record([&] { store_->add_pause(id_, pause); });
  line(LogLevel::info, said);
  observer_.on_pause(pause);
}

void RunLog::sample(const SampleRecord& r, const SampleDistance& distance) {
  record([&] {
    store_->add_sample(id_, {r.step, r.prompt_index, r.prompt, path_to_utf8(r.path),
                             distance.trained, distance.held_out, distance.nearest});
  });
  write(LogLevel::info, sample_note(r.step, r.prompt_index));
  if (events_wanted_) {
    std::string record;
    try {
      record = event_record(seconds_now(), r.step, fmt::format("samples/{}", r.prompt_index + 1),
                            r.path);
    } catch (const Error& e) {  // a copy that is missing stops no run
      line(LogLevel::warning, e.message());
    }
    if (!record.empty()) {
      event(r.step, record);
    }
  }
  observer_.on_sample(r);
}

void RunLog::sync() {
  keep_log([&] { sync_file(path_); });
  record([&] { store_->sync(); });
}

std::optional<CheckpointChoice> RunLog::suggested_checkpoint() {
  if (store_ == nullptr) {
    return std::nullopt;
  }
  record([&] { store_->flush(); });
  RunReader reader(store_->file());
  return choose_checkpoint(reader.validation(id_), reader.checkpoints(id_));
}

std::optional<Memorising> RunLog::memorising() {
  if (store_ == nullptr) {
    return std::nullopt;
  }
  record([&] { store_->flush(); });
  return memorising_at(RunReader(store_->file()).samples(id_),
                       std::numeric_limits<std::int64_t>::max());
}

std::vector<ImageLossRecord> RunLog::recorded_image_losses() {
  if (store_ == nullptr) {
    return {};
  }
  record([&] { store_->flush(); });
  return RunReader(store_->file()).image_losses(id_);
}

void RunLog::pruned(const std::vector<std::int64_t>& steps) {
  for (const std::int64_t step : steps) {
    record([&] { store_->remove_checkpoint(id_, step); });
  }
}

void RunLog::saved(const std::filesystem::path& path, std::int64_t step, bool checkpoint) {
  if (checkpoint) {
    std::int64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      bytes += static_cast<std::int64_t>(entry.file_size());
    }
    record([&] { store_->add_checkpoint(id_, {step, path_to_utf8(path), bytes}); });
  }
  write(LogLevel::info, saved_note(step, path_to_utf8(path)));
  observer_.on_saved(path, step);
}

}  // namespace mantissa
