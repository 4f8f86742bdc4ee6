#pragma once
// A run that one process starts as a process of its own.

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/run_lock.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The files between the process that starts a run and the one that trains it, in a folder of the
/// data directory: the preset, what the new process says at its start, and its error stream. They
/// stay until the run's end was seen, so that a later start of the first program finds the run.
class RunLaunch {
 public:
  /// A new one, with its preset. Throws Error if it can't be written.
  static RunLaunch create(const Preset& preset);
  /// All that were not removed, the oldest first.
  static std::vector<RunLaunch> all();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path preset() const { return folder_ / "preset.json"; }
  std::filesystem::path report() const { return folder_ / "report.json"; }
  std::filesystem::path errors() const { return folder_ / "errors.txt"; }

  struct Begun {
    std::string run_id;
    std::filesystem::path folder;
  };
  /// The run, once it has begun. Throws its failure if it ended before that.
  std::optional<Begun> begun() const;
  /// Whether the new process is still on its way to begin.
  bool is_starting() const;
  void remove() const;

 private:
  explicit RunLaunch(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

/// The new process's side: reports that its run has begun, or why it did not.
class LaunchReport {
 public:
  /// `file`: RunLaunch::report.
  explicit LaunchReport(std::filesystem::path file);
  void begun(const std::string& run_id, const std::filesystem::path& folder);
  void failed(const std::exception_ptr& why);

 private:
  void report(const std::string& line);

  std::filesystem::path file_;
  std::optional<RunLock> starting_;
  bool told_ = false;
};

}  // namespace mantissa
