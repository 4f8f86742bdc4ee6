// Session: the first start, and recorded runs. Requests of the history, runs of other processes,
// and runs whose process died.
#include "engine/store/store.h"
#include "engine/train/program_version.h"
#include "gui/app/DraftKeeper.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/RunResults.h"
#include "gui/app/RunStarter.h"
#include "gui/app/RunStatus.h"
#include "gui/app/RunVerifier.h"
#include "gui/app/Session.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"
#include "gui/wizard/FirstRunWizard.h"

namespace mantissa::gui {
namespace {

constexpr int kLeftShown = 4;

/// How the run ended, and exactly what continuing it would do.
QString left_text(const LeftRun& run) {
  const QString at = step_text(run.steps), from = step_text(run.resume.step);
  const QString ended =
      run.by_quitting ? Session::tr("Run %1 was stopped at step %2 when you quit.").arg(run.id, at)
                      : Session::tr("Run %1 was interrupted at step %2.").arg(run.id, at);
  QString then;
  switch (run.resume.way) {
    case ResumePoint::Way::checkpoint:
      then = run.resume.step >= run.steps
                 ? Session::tr("Resume continues from there.")
                 : Session::tr(
                       "Resume continues from its checkpoint of step %1; %n later step(s) "
                       "are trained again.",
                       nullptr, static_cast<int>(run.steps - run.resume.step))
                       .arg(from);
      break;
    case ResumePoint::Way::start_over:
      then = Session::tr(
          "It has no checkpoint, so it can't be resumed: Start over trains it again "
          "from step 0, in place of what is recorded.");
      break;
    case ResumePoint::Way::refused:
      then = Session::tr("None of its checkpoints is intact, so it can't be resumed as it is.");
      break;
  }
  return ended + QLatin1Char(' ') + then;
}

}  // namespace

void Session::connect_history() {
  HistoryPage* page = window_->history_page();
  connect(page, &HistoryPage::open_requested, this, [this](const QString& id) {
    if (!may_show_run()) {
      return;
    }
    try {
      open_run(id);
    } catch (const std::exception& e) {
      window_->show_exception(e);
    }
  });
  connect(page, &HistoryPage::resume_requested, this, &Session::resume_run);
  const auto duplicate = [this](const Preset& preset, const QString& name) {
    window_->files()->settle_unsaved([this, preset, name] {
      document_->load(preset, QString());
      window_->setup_page()->job()->set_resume(QString());
      window_->show_page(window_->setup_page());
      window_->show_info(
          tr("This is the preset of “%1” with its latest settings. Start begins a new run with "
             "it.")
              .arg(name));
    });
  };
  connect(page, &HistoryPage::duplicate_requested, this, duplicate);
  connect(window_->results(), &RunResults::again_requested, this, duplicate);
  connect(runs_.get(), &RunLibrary::recovered, this, &Session::offer_left);
  connect(run_watcher_.get(), &RunWatcher::gained, this, &Session::show_gain);
  connect(run_watcher_.get(), &RunWatcher::ended, this,
          [this](const QString& id, const QString& state) {
            window_->show_info(tr("Run %1: %2.").arg(id, run_state_text(state.toStdString())));
          });
  // A run started here takes over the page.
  watching_ = connect(engine_.get(), &EngineClient::state_changed, this, [this] {
    if (engine_->is_running()) {
      run_watcher_->stop();
    }
  });
}

void Session::offer_left(const QVector<LeftRun>& runs) {
  QStringList lines;
  for (const LeftRun& run : runs.mid(0, kLeftShown)) {
    lines << left_text(run);
  }
  if (runs.size() > kLeftShown) {
    lines << tr("And %n more.", nullptr, static_cast<int>(runs.size()) - kLeftShown);
  }
  const LeftRun& first = runs.first();
  std::vector<MessageBar::Offer> offers;
  if (runs.size() == 1 && first.resume.way != ResumePoint::Way::refused) {
    offers.push_back(
        {first.resume.way == ResumePoint::Way::checkpoint ? tr("Resume") : tr("Start over"),
         [this, id = first.id] { resume_run(id); }});
  }
  offers.push_back({tr("Show in History"), [this, id = first.id] {
                      window_->show_page(window_->history_page());
                      window_->history_page()->choose(id);
                    }});
  window_->messages()->offer(lines.join(QLatin1Char('\n')), std::move(offers));
}

bool Session::may_show_run() {
  if (!engine_->is_running()) {
    return true;
  }
  window_->show_info(
      tr("A run is in progress on the Train page. Curves of other runs are below the list."));
  return false;
}

void Session::resume_run(const QString& id) {
  if (!may_show_run()) {
    return;
  }
  try {
    open_run(id);
    if (!run_watcher_->is_watching()) {  // else another process already continues it
      window_->starter()->resume(window_->status()->shown_run(), data_.preset);
    }
  } catch (const std::exception& e) {
    window_->show_exception(e);
  }
}

void Session::show_gain(const RunDetail& detail) {
  RunPage* page = window_->run_page();
  data_.append(detail.steps);
  for (const HealthRecord& record : detail.health) {
    data_.health.add(record);
  }
  for (const ValidationRecord& record : detail.validation) {
    data_.add_validation(record);
  }
  for (const SampleRow& s : detail.samples) {
    const bool known = samples_->find(s.step, s.prompt_index) != nullptr;
    if (!known) {
      samples_->add({s.step, s.prompt_index, s.prompt, to_path(to_qstring(s.path))});
      data_.add_marker(PlotMarker::Kind::sample, s.step, tr("sample rendered"));
    }
  }
  for (const CheckpointRow& c : detail.checkpoints) {
    const QString path = to_qstring(c.path);
    const auto& markers = data_.markers();
    const bool known = std::any_of(markers.begin(), markers.end(), [&](const PlotMarker& m) {
      return m.kind == PlotMarker::Kind::saved && m.step == c.step;
    });
    if (!known) {
      data_.add_marker(PlotMarker::Kind::saved, c.step, tr("saved to %1").arg(path), path);
    }
  }
  QVector<LogLine> lines;
  for (const EventRow& e : detail.events) {
    lines.push_back({e.level, e.message, e.time});
  }
  page->log()->append(lines);
  for (const PauseRow& pause : detail.pauses) {
    data_.add_pause(pause);
  }
  if (detail.rates) {
    data_.set_process_rates(*detail.rates);
  }
  page->on_frame();
  page->on_labels();
}

FirstRunWizard* Session::welcome() {
  if (settings_.welcomed()) {
    return nullptr;
  }
  settings_.set_welcomed();
  const Planner planner = options_.draft_planner ? options_.draft_planner : options_.planner;
  const auto read_family = [planner](const QString& base) {
    JobSpec job;
    job.base = to_path(base);
    try {
      return planner(job).family;
    } catch (const std::exception&) {
      return ModelFamily::automatic;  // Setup reports the error
    }
  };
  auto* wizard = new FirstRunWizard(options_.library, read_family, &theme_, window_.get());
  connect(wizard, &FirstRunWizard::chosen, this, [this](const FirstRunChoice& choice) {
    window_->setup_page()->job()->set_paths(choice.base, choice.images);
    if (choice.preset) {
      document_->load(*choice.preset, QString());
    }
    window_->show_page(window_->setup_page());
  });
  wizard->open();
  return wizard;
}

void Session::restore_draft() {
  window_->keeper()->restore();
}

void Session::begin_background() {
  if (options_.load_library) {
    try {
      options_.library = options_.load_library();
      window_->files()->set_library(options_.library);
    } catch (const std::exception& e) {
      window_->show_exception(e);
    }
  }
  const QStringList left = settings_.left_runs();
  settings_.forget_left_runs();
  runs_->recover(left);
  find_launched();
  const QString version = to_qstring(program_version());
  if (settings_.version() != version) {
    connect(
        runs_.get(), &RunLibrary::listed, this,
        [this, version] { window_->verifier()->offer_after_update(version); },
        Qt::SingleShotConnection);
    runs_->refresh();
  }
}

}  // namespace mantissa::gui
