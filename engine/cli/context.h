#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/devices.h"
#include "engine/probe/probe.h"
#include "engine/render/sample.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/train/verify_run.h"

namespace mantissa {

/// The environment of commands: streams, the engine, folders. Tests pass their own.
struct CliContext {
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool one_stream = false;      ///< both streams end in one terminal
  bool unicode = true;          ///< block characters may be shown
  bool handle_signals = false;  ///< Ctrl+C saves and stops
  std::function<int()> columns = [] { return 80; };
  std::function<double()> seconds = [] { return 0.0; };  ///< a steady clock
  /// The next line of the input; empty if none comes in that time; nothing at the input's end.
  std::function<std::optional<std::string>(std::chrono::milliseconds)> read_request;
  /// A question to the person at the terminal; null if there is none.
  std::function<bool(const std::string& question)> confirm;
  std::function<std::filesystem::path()> presets_folder;
  std::function<std::filesystem::path()> runs_database;
  std::function<RunResult(const JobSpec&, RunControl&, RunObserver&)> train;
  std::function<PlanReport(const JobSpec&)> plan;  ///< from headers alone
  /// As `plan`, and what only reading the inputs tells.
  std::function<PlanReport(const JobSpec&, const Progress&)> dry_run;
  std::function<ProbeReport(const JobSpec&, const ProbeOptions&, RunControl&, RunObserver&)> probe;
  std::function<VerifyReport(const std::filesystem::path& run, const std::string& device,
                             RunControl&, RunObserver&)>
      verify;
  std::function<void(const SampleRequest&, RunObserver&)> sample;
  std::function<std::vector<DeviceInfo>()> cards;  ///< by the driver; null: not asked for
};

/// The process's own streams, terminal, folders and engine.
CliContext process_context();

}  // namespace mantissa
