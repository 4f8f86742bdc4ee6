#include "engine/run/run_launch.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <sstream>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_relay.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// Time after which nobody uses what a launch without its preset left.
constexpr std::chrono::hours kLeftOver(1);

fs::path launches() {
  return data_dir() / "launched";
}

fs::path starting_lock(const fs::path& report) {
  return fs::path(report).replace_extension(".lock");
}

class BegunReader : public RunObserver {
 public:
  void on_begun(const std::string& run_id, const fs::path& folder) override {
    begun = RunLaunch::Begun{run_id, folder};
  }
  std::optional<RunLaunch::Begun> begun;
};

}  // namespace

RunLaunch RunLaunch::create(const Preset& preset) {
  std::random_device entropy;
  RunLaunch launch(launches() / fmt::format("{:08x}{:08x}", entropy(), entropy()));
  make_folders(launch.folder());
  atomic_write(launch.preset(), to_json(preset, WriteMode::full));
  return launch;
}

std::vector<RunLaunch> RunLaunch::all() {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(launches(), none)) {
    const RunLaunch launch(entry.path());
    if (fs::exists(launch.preset(), none)) {
      found.emplace_back(fs::last_write_time(launch.preset(), none), entry.path());
    } else if (fs::file_time_type::clock::now() - entry.last_write_time(none) > kLeftOver) {
      launch.remove();  // under Windows its process, which still ran, kept the file of its errors
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<RunLaunch> all;
  for (auto& [time, folder] : found) {
    all.push_back(RunLaunch(std::move(folder)));
  }
  return all;
}

std::optional<RunLaunch::Begun> RunLaunch::begun() const {
  std::error_code none;
  if (!fs::exists(report(), none)) {
    return std::nullopt;
  }
  BegunReader reader;
  RelayedRun run(reader);
  run.take(read_text(report()));
  if (run.has_ended()) {
    run.result();  // throws: a run that ends well has begun
  }
  return reader.begun;
}

bool RunLaunch::is_starting() const {
  return RunLock::is_held(starting_lock(report()));
}

void RunLaunch::remove() const {
  std::error_code none;
  for (const fs::path& file : {preset(), report(), errors(), starting_lock(report())}) {
    fs::remove(file, none);
  }
  fs::remove(folder_, none);
}

LaunchReport::LaunchReport(fs::path file)
    : file_(std::move(file)), starting_(starting_lock(file_)) {}

void LaunchReport::begun(const std::string& run_id, const fs::path& folder) {
  if (!std::exchange(told_, true)) {
    std::ostringstream line;
    RunRelay(line).on_begun(run_id, folder);
    report(line.str());
  }
}

void LaunchReport::failed(const std::exception_ptr& why) {
  if (!std::exchange(told_, true)) {
    std::ostringstream line;
    RunRelay(line).failed(why);
    report(line.str());
  }
}

void LaunchReport::report(const std::string& line) {
  atomic_write(file_, line);
  starting_.reset();
}

}  // namespace mantissa
