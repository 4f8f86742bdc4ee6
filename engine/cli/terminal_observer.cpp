#include "engine/cli/terminal_observer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/cli/commands.h"
#include "engine/cli/output.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/plan/run_length.h"

namespace mantissa {
namespace {

constexpr double kRedraw = 0.05;  // seconds between redraws on a terminal
constexpr double kLine = 1.0;     // seconds between lines in a pipe

std::string phase_label(RunPhase phase) {
  std::string label(phase_name(phase));
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') {
    label[0] = static_cast<char>(label[0] - 32);
  }
  return label;
}

std::string join(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : "  ") + part;
  }
  return text;
}

}  // namespace

TerminalObserver::TerminalObserver(const CommandSession& session, std::int64_t total_steps)
    : TerminalObserver({.out = &session.people(),
                        .is_terminal = session.people_is_terminal(),
                        .unicode = session.context.unicode,
                        .log_level = session.level(),
                        .total_steps = total_steps,
                        .columns = session.context.columns,
                        .seconds = session.context.seconds}) {}

void TerminalObserver::on_state(RunState state) {
  if (waits_ && state == RunState::training) {
    note(LogLevel::info, "There is space again: the run continues.");
  }
  waits_ = false;
  if (state == RunState::stopping) {
    note(LogLevel::debug, "Stopping");
  }
}

void TerminalObserver::on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {
  if (phase == RunPhase::training || options_.log_level > LogLevel::info) {
    return;  // steps show more
  }
  const std::lock_guard lock(mutex_);
  const double now = options_.seconds();
  const bool is_new = phase != phase_;
  if (is_new) {
    phase_ = phase;
    phase_eta_ = {};
  }
  phase_eta_.update(done, now);
  const bool last = done >= total;
  // In a pipe a phase has a line when it begins and one when it ends; a long one, more between.
  const bool begins = is_new && (options_.is_terminal || done == 0);
  if (is_new && !begins) {
    last_draw_ = now;
  }
  const double due = options_.is_terminal ? kRedraw : kLine;
  if (!begins && !last && now - last_draw_ < due) {
    return;
  }
  last_draw_ = now;
  const double left = phase_eta_.remaining(done, total);
  const std::string eta = last || left < 0 ? "" : "ETA " + duration_text(left);
  const std::string count = fmt::format("{}/{}", done, total);
  if (options_.is_terminal) {
    draw(phase_label(phase), total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0,
         join({count, eta}));
  } else if (total > 0) {
    const std::string line = phase_label(phase) + " " + count;
    if (line != last_count_) {
      *options_.out << join({line, eta}) << std::endl;
    }
    last_count_ = line;
  }
}

void TerminalObserver::on_log(LogLevel level, const Message& message) {
  if (level < options_.log_level) {
    return;
  }
  const std::string line = message.text();
  if (level >= LogLevel::error) {
    release();
    held_ = line;
    return;
  }
  note(level, level == LogLevel::warning ? "warning: " + line : line);
  last_log_ = line;
}

bool TerminalObserver::settle(const std::string& text) {
  if (held_ == text) {
    held_.clear();
  }
  finish();
  return last_log_ == text;
}

void TerminalObserver::release() {
  if (!held_.empty()) {
    const std::string line = std::move(held_);
    held_.clear();
    note(LogLevel::error, "error: " + line);
  }
}

void TerminalObserver::on_plan(const PlanReport& plan) {
  batches_per_epoch_ = plan.length.batches_per_epoch;
  if (plan.length.steps > 0) {
    options_.total_steps = plan.length.steps;
  }
  note(LogLevel::info, fmt::format("Memory: needs {} of {} free", bytes_text(plan.peak_bytes),
                                   bytes_text(plan.free_bytes)));
}

void TerminalObserver::on_settings(const Preset& preset) {
  if (const RunLength length = run_length(preset, batches_per_epoch_); length.steps > 0) {
    options_.total_steps = length.steps;
  }
}

void TerminalObserver::on_step(const StepRecord& step) {
  release();
  if (options_.log_level > LogLevel::info) {
    return;
  }
  const std::lock_guard lock(mutex_);
  phase_ = RunPhase::training;
  last_count_.clear();
  const double now = options_.seconds();
  step_clock_ += step.seconds;
  if (step_clock_ == step.seconds) {
    step_eta_.update(step.step - 1, 0);  // so that the first step counts too
  }
  step_eta_.update(step.step, step_clock_);
  const std::int64_t total = options_.total_steps;
  const bool edge = step.step == 1 || step.step == total;
  if (!edge && now - last_draw_ < (options_.is_terminal ? kRedraw : kLine)) {
    return;
  }
  last_draw_ = now;
  const double left = step_eta_.remaining(step.step, total);
  const std::string loss = step.skipped ? "skipped" : "loss " + number_text(step.loss);
  const std::string norm =
      "grad " +
      (std::isfinite(step.grad_norm) ? number_text(step.grad_norm) : std::string("NaN/Inf")) +
      (step.clipped ? " clipped" : "");
  const std::string eta = step.step < total && left >= 0 ? "ETA " + duration_text(left) : "";
  const std::string details = join({fmt::format("{}/{}", step.step, total), loss, norm,
                                    iteration_rate_text(step_eta_.seconds_per_unit()), eta});
  if (options_.is_terminal) {
    draw("Training", total > 0 ? static_cast<double>(step.step) / static_cast<double>(total) : 0,
         details);
  } else {
    *options_.out << "Step " << details << std::endl;
  }
}

void TerminalObserver::on_validation(const ValidationRecord& v) {
  note(LogLevel::info,
       fmt::format("Validation at step {}: loss {} on {} {}", v.step, number_text(v.loss), v.images,
                   v.images == 1 ? "image" : "images"));
}

void TerminalObserver::on_sample(const SampleRecord& sample) {
  note(LogLevel::info,
       fmt::format("Sample at step {}: {}", sample.step, path_to_utf8(sample.path)));
}

void TerminalObserver::on_saved(const std::filesystem::path& path, std::int64_t step) {
  note(LogLevel::info, fmt::format("Saved at step {}: {}", step, path_to_utf8(path)));
}

void TerminalObserver::on_disk_full(const FullDisk& full) {
  waits_ = true;
  note(LogLevel::error, "warning: " + full.message.text());
  note(LogLevel::error,
       fmt::format("Paused, nothing is lost: the run continues once {} has {} free (now {}). "
                   "Ctrl+C tries once more and stops.",
                   path_to_utf8(full.folder), bytes_text(full.needed), bytes_text(full.free)));
}

void TerminalObserver::note(LogLevel level, const std::string& line) {
  if (level < options_.log_level) {
    return;
  }
  const std::lock_guard lock(mutex_);
  erase();
  const std::string shown = printable(line);
  const std::size_t colon = shown.find(": ");
  const std::string_view kind = std::string_view(shown).substr(0, colon);
  if (kind == "warning" || kind == "error") {
    *options_.out << Styled{kind == "error" ? Style::bad : Style::warning, kind}
                  << std::string_view(shown).substr(kind.size()) << std::endl;
  } else {
    *options_.out << shown << std::endl;
  }
}

void TerminalObserver::finish() {
  release();
  const std::lock_guard lock(mutex_);
  if (line_open_) {
    *options_.out << std::endl;
    line_open_ = false;
  }
}

void TerminalObserver::draw(const std::string& label, double share, const std::string& details) {
  const int columns = std::max(options_.columns(), 20);
  const int used =
      static_cast<int>(std::max<std::size_t>(display_width(label), 8) + display_width(details)) + 6;
  const int width = std::clamp(columns - used, 0, 40);
  std::string line = label + std::string(label.size() < 8 ? 8 - label.size() : 0, ' ') + " ";
  if (width >= 6) {
    line += progress_bar(share, width, options_.unicode) + " ";
  }
  line += details;
  // A wrapped line couldn't be redrawn in place; details are ASCII, so bytes can be truncated.
  if (width < 6 && static_cast<int>(line.size()) >= columns) {
    line.resize(static_cast<std::size_t>(columns - 1));
  }
  *options_.out << clear_line << line << std::flush;
  line_open_ = true;
}

void TerminalObserver::erase() {
  if (line_open_) {
    *options_.out << clear_line;
    line_open_ = false;
  }
}

}  // namespace mantissa
