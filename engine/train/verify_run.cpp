#include "engine/train/verify_run.h"

#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/plan/backend.h"
#include "engine/ranks/ranks.h"
#include "engine/run/job_file.h"
#include "engine/run/run_folder.h"
#include "engine/train/checked_run.h"

namespace mantissa {
namespace {

/// Passes progress on, and what the run's log has already said only at the lowest level.
class ReplayEvents : public RunObserver {
 public:
  explicit ReplayEvents(RunObserver& observer) : observer_(observer) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    observer_.on_progress(phase, done, total);
  }
  void on_log(LogLevel, const Message& line) override { observer_.on_log(LogLevel::debug, line); }

 private:
  RunObserver& observer_;
};

FirstSteps read_trace(const RunFolder& folder) {
  const std::filesystem::path file = trace_file(folder.path());
  std::error_code none;
  if (!std::filesystem::exists(file, none)) {
    throw Error(
        message<
            "{folder} has no {file}: the run was made by a version that kept no trace, or ended "
            "before its first {steps} steps. It can't be verified; a new run can">(
            path_to_utf8(folder.path()), path_to_utf8(file.filename()), kTracedSteps));
  }
  return parse_first_steps(read_text(file), path_to_utf8(file));
}

/// The job as the run began, on one device or those that share its layers.
JobSpec traced_job(const RunFolder& folder, const std::string& device) {
  JobSpec job = parse_job_file(folder.job_text(), path_to_utf8(folder.job_file())).job;
  job.health_every = 0;  // layer statistics change nothing
  job.on_full_disk = OnFullDisk::stop;
  if (!device.empty()) {
    job.device = device;
    job.split.clear();
  }
  return job;
}

}  // namespace

VerifyReport verify_run(const std::filesystem::path& run, const std::string& device,
                        RunControl& control, RunObserver& observer) {
  const RunFolder folder = RunFolder::open(run);
  VerifyReport report{folder.id(), folder.path(), read_trace(folder), {}, {}};
  Ranks alone;
  JobSpec job = traced_job(folder, device);
  job.device = device_of_process(job.device, {});  // of a run by several, the first's
  PlannedRun opened = open_checked(job, alone);
  const ImageLibrary images;
  RunHome home(folder, RunHome::Reading());
  ReplayEvents events(observer);
  DiskWait disk(control, events, job.on_full_disk);
  RunLog log(events, disk);
  FirstStepsReplay replay{report.then, {}};
  train_on_device(std::move(opened), job, home, control, log, alone, &replay);
  report.now = std::move(replay.now);
  report.now.identity = report.then.identity;  // compared before the first step
  report.comparison = compare_first_steps(report.then, report.now);
  return report;
}

}  // namespace mantissa
