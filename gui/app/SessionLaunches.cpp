// Session: runs that are processes of their own, found again after a restart.
#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_folder.h"
#include "engine/store/store.h"
#include "gui/app/Session.h"
#include "gui/base/Text.h"
#include "gui/history/HistoryPage.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {
namespace {

bool is_of(const RunLaunch& launch, const std::filesystem::path& folder) {
  try {
    const auto begun = launch.begun();
    return begun && begun->folder == folder;
  } catch (const std::exception&) {
    return false;  // it did not begin
  }
}

}  // namespace

void Session::find_launched() {
  if (!options_.launches) {
    return;
  }
  for (const RunLaunch& launch : options_.launches()) {
    try {
      find_launched(launch);
    } catch (const std::exception& e) {
      launch.remove();
      window_->show_exception(e);
    }
  }
  if (!engine_->is_running()) {
    window_->queue()->settle_apart();
  }
}

void Session::find_launched(const RunLaunch& launch) {
  const bool starting = launch.is_starting();
  const std::optional<RunLaunch::Begun> begun = launch.begun();
  if (!begun) {
    if (starting && !engine_->is_running()) {
      JobSpec job;
      job.preset = parse_preset(read_text(launch.preset()), "launch");
      data_.begin(run_length(job.preset, 0).steps);
      data_.preset = job.preset;
      window_->run_page()->begin();
      window_->show_page(window_->run_page());
      attach(launch, job, {});
    } else if (!starting) {
      launch.remove();
    }
    return;
  }
  const LoadedRun run = options_.load_run(path_text(begun->folder));
  const std::string state = run.state.toStdString();
  if (!is_final_state(state)) {
    if (!engine_->is_running()) {
      open_run(path_text(begun->folder));
    }
    return;
  }
  launch.remove();
  if (state == "finished" || state == "failed") {  // others are offered to be resumed
    window_->messages()->offer(state == "finished"
                                   ? tr("Run %1 finished while the window was closed.").arg(run.id)
                                   : tr("Run %1 failed while the window was closed.").arg(run.id),
                               {{tr("Show in History"), [this, id = run.id] {
                                   window_->show_page(window_->history_page());
                                   window_->history_page()->choose(id);
                                 }}});
  }
}

void Session::attach(const LoadedRun& run) {
  if (!options_.launches || engine_->is_running()) {
    return;
  }
  for (const RunLaunch& launch : options_.launches()) {
    if (is_of(launch, run.folder)) {
      const RunSince& known = run_watcher_->known();
      attach(launch, RunFolder::open(run.folder).frozen_job(),
             {known.step, known.event, known.validation.value_or(-1)});
      return;
    }
  }
}

void Session::attach(const RunLaunch& launch, const JobSpec& job, const KnownOfRun& known) {
  engine_->attach(job, [launch, known](const JobSpec&, RunControl& control, RunObserver& observer) {
    return follow_apart(launch, known, control, observer);
  });
}

}  // namespace mantissa::gui
