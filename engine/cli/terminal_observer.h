#pragma once

#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "engine/cli/progress_bar.h"
#include "engine/run/run.h"

namespace mantissa {

struct CommandSession;

/// Human-readable progress: one redrawn line with bar, rate and ETA on a terminal; plain lines,
/// about one per second, in a pipe.
class TerminalObserver : public RunObserver {
 public:
  struct Options {
    std::ostream* out = nullptr;
    bool is_terminal = false;
    bool unicode = true;
    LogLevel log_level = LogLevel::info;  ///< the minimum; progress needs info
    std::int64_t total_steps = 0;         ///< of the run
    std::function<int()> columns = [] { return 80; };
    std::function<double()> seconds = [] { return 0.0; };
  };
  explicit TerminalObserver(Options options) : options_(std::move(options)) {}
  /// On the stream for human-readable text of `session`.
  explicit TerminalObserver(const CommandSession& session, std::int64_t total_steps = 0);
  ~TerminalObserver() override { finish(); }

  void on_state(RunState state) override;
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override;
  void on_log(LogLevel level, const Message& line) override;
  void on_plan(const PlanReport& plan) override;
  void on_settings(const Preset& preset) override;
  void on_step(const StepRecord& step) override;
  void on_validation(const ValidationRecord& record) override;
  void on_sample(const SampleRecord& sample) override;
  void on_saved(const std::filesystem::path& path, std::int64_t step) override;
  void on_disk_full(const FullDisk& full) override;

  /// Shows a line above the progress line. Thread-safe.
  void note(LogLevel level, const std::string& line);
  /// Ends the progress line.
  void finish();
  /// The run ends with the error `text`, which the caller reports. True if it was already shown as
  /// an ordinary line; an error line with it is dropped.
  bool settle(const std::string& text);

 private:
  void draw(const std::string& label, double share, const std::string& details);
  void erase();
  void release();

  Options options_;
  std::mutex mutex_;  ///< notes come from the signal watcher too
  std::optional<RunPhase> phase_;
  std::int64_t batches_per_epoch_ = 0;  ///< once it is known
  std::string last_count_;              ///< line of a phase in a pipe: the same one isn't repeated
  std::string last_log_;
  std::string held_;  ///< an error line, held back because it may be the run's error
  EtaEstimate phase_eta_, step_eta_;
  double step_clock_ = 0;  ///< sum of step times: pauses and samples don't count
  double last_draw_ = -1e9;
  bool line_open_ = false;
  bool waits_ = false;  ///< waiting for disk space
};

}  // namespace mantissa
