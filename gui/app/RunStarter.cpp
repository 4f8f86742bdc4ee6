#include "gui/app/RunStarter.h"

#include <QFileInfo>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "engine/plan/draft_plan.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/run/run_files.h"
#include "gui/app/DraftReview.h"
#include "gui/app/FrameTicker.h"
#include "gui/app/PageStack.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/WindowWords.h"
#include "gui/dataset/DataPage.h"
#include "gui/engine/AppSettings.h"
#include "gui/engine/EngineClient.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/preset/SweepDialog.h"
#include "gui/run/DiskCard.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/QueuePanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunData.h"
#include "gui/run/RunName.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/OpenFolder.h"
#include "gui/widgets/QuestionSheet.h"

namespace mantissa::gui {
namespace {

/// "2 min"
QString about_text(double seconds) {
  const auto minutes = static_cast<int>(std::lround(seconds / 60));
  return seconds < 60   ? RunStarter::tr("%n s", nullptr, static_cast<int>(std::lround(seconds)))
         : minutes < 60 ? RunStarter::tr("%n min", nullptr, minutes)
                        : RunStarter::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

}  // namespace

RunStarter::RunStarter(const WindowFrame& frame, DraftReview* draft, RunStatus* status)
    : f_(frame), draft_(draft), status_(status) {
  connect_commands();
  connect_queue();
  connect(f_.parts.engine, &EngineClient::begun, this, &RunStarter::tell_apart);
  connect(f_.run, &RunPage::resume_requested, this, [this](const QString& checkpoint) {
    if (draft_->settle_text()) {
      resume(path_text(run_of_checkpoint(to_path(checkpoint))),
             settings_to_resume(f_.parts.engine->job().preset));
    }
  });
  connect(f_.run, &RunPage::accept_requested, this, [this](const RunEnd& refusal) {
    JobSpec job = f_.parts.engine->job();
    job.accept_changed.insert(job.accept_changed.end(), refusal.failure.changed.begin(),
                              refusal.failure.changed.end());
    job.start_over = refusal.failure.start_over;
    launch(job);
  });
}

/// Once, until dismissed: what closing the window does then.
void RunStarter::tell_apart() {
  if (f_.parts.engine->is_apart() && !f_.parts.settings->told_apart()) {
    f_.parts.settings->set_told_apart();
    f_.messages->offer(
        tr("This run is a process of its own: it goes on when you close the window, and the next "
           "start of the studio shows it again."),
        {});
  }
}

void RunStarter::connect_commands() {
  EngineClient* engine = f_.parts.engine;
  const RunActions& actions = *f_.actions;
  connect(actions.start, &QAction::triggered, this, &RunStarter::start);
  connect(actions.go_on, &QAction::triggered, this, &RunStarter::continue_shown);
  connect(actions.open_folder, &QAction::triggered, this, &RunStarter::open_folder);
  connect(actions.pause, &QAction::triggered, engine, [engine] {
    if (engine->state() == RunState::paused) {
      engine->request_resume();
    } else {
      engine->request_pause();
    }
  });
  const auto discard = [engine] { engine->request_stop(RunControl::Stop::discard); };
  connect(actions.stop, &QAction::triggered, this, &RunStarter::stop);
  // An answer must not reach the next run.
  connect(engine, &EngineClient::ended, this, [this] {
    if (stop_question_) {
      stop_question_->close();
    }
  });
  // The run continues while the question is open.
  connect(f_.ticker, &FrameTicker::labels, this, [this] {
    if (auto* sheet = qobject_cast<QuestionSheet*>(stop_question_.data())) {
      sheet->set_text(lost_text());
    }
  });
  connect(actions.stop_save, &QAction::triggered, engine,
          [engine] { engine->request_stop(RunControl::Stop::save); });
  connect(actions.save, &QAction::triggered, engine, &EngineClient::request_save);
  connect(actions.sample, &QAction::triggered, engine, &EngineClient::request_sample);

  DiskCard* disk = f_.run->disk_card();
  connect(disk, &DiskCard::retry_requested, engine, &EngineClient::request_retry);
  connect(disk, &DiskCard::stop_requested, engine, discard);
  connect(disk, &DiskCard::folder_wanted, this, [this] {
    f_.ask.other_folder(f_.window, f_.parts.settings->last_folder(), [this](const QString& folder) {
      f_.parts.engine->request_folder(to_path(folder));
    });
  });
}

void RunStarter::open_folder() {
  const QString folder = status_->shown_run();
  if (!QFileInfo(folder).isDir()) {
    f_.messages->show_error(tr("The run's folder %1 is no longer there.").arg(folder));
  } else if (const QString why = mantissa::gui::open_folder(folder); !why.isEmpty()) {
    f_.messages->show_error(why);
  }
}

QString RunStarter::lost_text() const {
  const EngineClient* engine = f_.parts.engine;
  const RunData& data = *f_.parts.run_data;
  const std::int64_t lost = engine->unsaved_steps(data.step());
  if (lost == 0) {
    return tr("All steps are saved.");
  }
  QString what = tr("%n step(s)", nullptr, static_cast<int>(lost));
  if (const double seconds = data.last().seconds * static_cast<double>(lost); seconds > 0) {
    what = QStringLiteral("%1, %2").arg(what, about_text(seconds));
  }
  return engine->last_saved_step() > 0
             ? tr("Not saved since the checkpoint of step %1: %2. Stopping without saving loses "
                  "them.")
                   .arg(step_text(engine->last_saved_step()), what)
             : tr("Not saved yet: %1. Stopping without saving loses them.").arg(what);
}

void RunStarter::stop() {
  if (stop_question_) {
    stop_question_->raise();
    return;
  }
  EngineClient* engine = f_.parts.engine;
  if (engine->unsaved_steps(f_.parts.run_data->step()) == 0) {
    engine->request_stop(RunControl::Stop::discard);
    return;
  }
  stop_question_ = f_.ask.how_to_stop(f_.window, lost_text(), [engine](WindowQuestions::Stop how) {
    engine->request_stop(how == WindowQuestions::Stop::save ? RunControl::Stop::save
                                                            : RunControl::Stop::discard);
  });
}

void RunStarter::connect_queue() {
  auto* panel =
      new QueuePanel(f_.queue, {f_.actions->enqueue, f_.actions->sweep}, f_.parts.theme, f_.run);
  QToolButton* chip =
      f_.run->add_view(tr("Queue"),
                       tr("Runs that start one after another.\nWaiting ones are "
                          "dragged to another place; Sweep… adds one for each value "
                          "of a setting."),
                       panel);
  const auto count = [this, chip] {
    const int waiting = f_.queue->waiting();
    chip->setText(waiting > 0 ? tr("Queue · %1").arg(waiting) : tr("Queue"));
  };
  connect(f_.queue, &RunQueue::changed, this, count);
  count();
  connect(f_.queue, &RunQueue::start_requested, this, &RunStarter::launch_queued);
  connect(f_.queue, &RunQueue::lost, f_.messages, &MessageBar::show_error);
  connect(f_.actions->enqueue, &QAction::triggered, this, &RunStarter::enqueue);
  connect(f_.actions->sweep, &QAction::triggered, this, &RunStarter::sweep);
}

void RunStarter::enqueue() {
  if (const std::optional<JobSpec> job = draft_->startable()) {
    f_.queue->add(with_own_name(*job));
    tell_added(1);
  }
}

void RunStarter::sweep() {
  const std::optional<JobSpec> draft = draft_->startable();
  if (!draft) {
    return;
  }
  const JobSpec job = with_own_name(*draft);
  const auto refusal = [job, planner = std::make_shared<DraftPlanner>()](const Preset& preset) {
    JobSpec one = job;
    one.preset = preset;
    const PlanReport plan = planner->plan(one);
    const auto refused = std::ranges::find(plan.findings, Verdict::refused, &Finding::verdict);
    return refused == plan.findings.end()
               ? QString()
               : plain_words(message_text(in_window_words(refused->message)));
  };
  auto* dialog = new SweepDialog(job.preset, refusal, f_.window);
  connect(dialog, &QDialog::accepted, this, [this, dialog, job] {
    for (const Preset& preset : dialog->presets()) {
      JobSpec one = job;
      one.preset = preset;
      f_.queue->add(one);
    }
    tell_added(static_cast<int>(dialog->presets().size()));
  });
  dialog->open();
}

void RunStarter::tell_added(int runs) {
  const QString added =
      runs == 1 ? tr("Added to the queue.") : tr("%n runs were added to the queue.", nullptr, runs);
  const auto* panel = f_.run->findChild<QueuePanel*>();
  const bool in_sight = panel != nullptr && panel->isVisible();
  f_.messages->show_info(f_.queue->is_on() || in_sight
                             ? added
                             : tr("%1 Start it on the Train page, under Queue.").arg(added));
}

void RunStarter::start() {
  if (f_.parts.engine->is_running()) {
    return;
  }
  if (const std::optional<JobSpec> job = draft_->startable()) {
    launch(with_own_name(*job));
  }
}

Preset RunStarter::settings_to_resume(const Preset& run) const {
  Preset draft = f_.parts.document->preset();
  draft.output.name = run.output.name;  // runs of one preset get names of their own
  for (const PresetChange& change : diff_presets(run, draft)) {
    if (require_setting(change.key).change == Change::never) {
      return run;
    }
  }
  return draft;
}

void RunStarter::resume(const QString& folder, const Preset& preset) {
  if (f_.parts.engine->is_running()) {
    return;
  }
  JobSpec job = f_.setup->job()->job();  // its device
  job.preset = preset;
  job.resume = to_path(folder);
  launch(job);
}

void RunStarter::continue_shown() {
  const bool here = status_->ran_here(), finished = status_->is_finished();
  if ((here || finished) && !draft_->settle_text()) {
    return;  // the run would continue with other settings than the text shows
  }
  const Preset own = here ? f_.parts.engine->job().preset : f_.parts.run_data->preset;
  const Preset wanted = here || finished ? settings_to_resume(own) : own;
  const std::int64_t total =
      run_length(wanted, f_.parts.run_data->length().batches_per_epoch).steps;
  const bool done = total > 0 ? f_.parts.run_data->step() >= total
                              : finished && wanted.training.epochs == own.training.epochs;
  if (done) {
    ask_for_more(own);
  } else {
    resume(status_->shown_run(), wanted);
  }
}

void RunStarter::ask_for_more(const Preset& run) {
  PresetDocument* document = f_.parts.document;
  f_.setup->job()->set_resume(status_->shown_run());
  Preset draft = document->preset();
  draft.output.name = run.output.name;
  const bool other = settings_to_resume(run) != draft;
  if (other) {
    document->replace(run, tr("settings of the run"));
  }
  const bool by_epochs = run.training.epochs > 0;
  f_.pages->show_page(f_.setup);
  f_.setup->form()->jump_to(by_epochs ? QStringLiteral("training.epochs")
                                      : QStringLiteral("training.steps"));
  QString text = by_epochs
                     ? tr("All %n epoch(s) are done. Raise the number of epochs, then press Resume "
                          "to continue the run.",
                          nullptr, static_cast<int>(run.training.epochs))
                     : tr("All %1 steps are done. Raise the number of steps, then press Resume to "
                          "continue the run.")
                           .arg(step_text(f_.parts.run_data->step()));
  if (other) {
    text +=
        QLatin1Char(' ') + tr("The form shows the run's settings; Undo brings back those before.");
  }
  f_.messages->show_info(text);
}

bool RunStarter::starts_apart() const {
  return f_.parts.settings->keeps_training() && f_.parts.engine->can_start_apart();
}

void RunStarter::launch(const JobSpec& job) {
  f_.messages->hide();
  f_.pages->show_page(f_.run);
  begin(job, starts_apart());
}

/// Nobody asked for it just now: the page in front stays, and so does what is told there.
void RunStarter::launch_queued(const JobSpec& job) {
  begin(job, starts_apart());
}

void RunStarter::launch_apart(const JobSpec& job) {
  f_.messages->hide();
  f_.pages->show_page(f_.run);
  begin(job, true);
}

void RunStarter::begin(const JobSpec& job, bool apart) {
  f_.data_page->save();  // the run reads the captions from disk; what can't be written is told
  status_->clear();
  // A continued run keeps its existing curves; a process of its own tells them again.
  if (apart || !job.resume || path_text(*job.resume) != status_->shown_run()) {
    f_.parts.run_data->begin(run_length(job.preset, 0).steps);
    f_.parts.sample_model->clear();
    f_.run->begin();
  } else {
    f_.parts.run_data->set_length(
        run_length(job.preset, f_.parts.run_data->length().batches_per_epoch));
    f_.run->hide_failure();
  }
  f_.parts.run_data->preset = job.preset;
  f_.run->log()->clear();
  f_.ticker->reset_figures();
  // The fields of Setup may show another run's files.
  const JobSpec whole = job.resume ? with_its_own_files(job) : job;
  if (apart) {
    f_.parts.engine->start_apart(whole);
  } else {
    f_.parts.engine->start(whole);
  }
  f_.setup->diff()->set_run(job.preset, to_qstring(job.preset.output.name));
  // Once: the next Start begins a new run.
  if (f_.setup->job()->job().resume == job.resume) {
    f_.setup->job()->set_resume(QString());
  }
}

}  // namespace mantissa::gui
