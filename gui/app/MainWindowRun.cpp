// MainWindow: starting runs, the queue, and what the Train page and its cards ask for.
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QToolButton>
#include <QUrl>

#include "engine/train/run_folder.h"
#include "gui/app/FrameTicker.h"
#include "gui/app/MainWindow.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/engine/AppSettings.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/DiskCard.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/QueuePanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunData.h"
#include "gui/run/RunFolders.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/samples/SampleGrid.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {
namespace {

/// What a finished run leaves in its folder.
QString adapter_file(const QString& folder, const Preset& preset) {
  return QDir(folder).filePath(to_qstring(preset.output.name) + QStringLiteral(".safetensors"));
}

}  // namespace

void MainWindow::connect_run_page() {
  EngineClient* engine = p_.engine;
  connect(engine, &EngineClient::non_finite_found, this, [this](const NonFiniteReport& report) {
    p_.data->add_report(report);
    run_->on_report();
  });
  connect(engine, &EngineClient::validated, this,
          [this](const ValidationRecord& record) { p_.data->add_validation(record); });
  connect(engine, &EngineClient::health_measured, this,
          [this](const HealthRecord& record) { p_.data->health.add(record); });
  connect(engine, &EngineClient::disk_full, this, [this](const FullDisk& full) {
    run_->disk_card()->show_full(full);
    show_page(train);
  });
  DiskCard* disk = run_->disk_card();
  connect(disk, &DiskCard::retry_requested, engine, &EngineClient::request_retry);
  connect(disk, &DiskCard::stop_requested, engine,
          [engine] { engine->request_stop(RunControl::Stop::discard); });
  connect(disk, &DiskCard::folder_wanted, this, [this] {
    ask_.other_folder(this, p_.settings->last_folder(), [this](const QString& folder) {
      p_.engine->request_folder(to_path(folder));
    });
  });
  // Fixes go to the draft, never to what is running.
  connect(run_, &RunPage::fix_requested, this, [this](const QString& patch, const QString& id) {
    const QString wrong = p_.document->apply_patch(patch.toStdString(), tr("fix for %1").arg(id));
    if (wrong.isEmpty()) {
      show_info(
          tr("The fix for %1 is in the draft of the preset; the next run will use it.").arg(id));
    } else {
      show_error(wrong);
    }
  });
  connect(run_, &RunPage::field_requested, this, [this](const QString& key) {
    show_page(setup);
    setup_->form()->jump_to(key);
  });
  connect(run_, &RunPage::samples_requested, this, [this](qint64 step) {
    show_page(samples);
    grid_->show_step(step);
  });
  connect(run_, &RunPage::resume_requested, this, [this](const QString& checkpoint) {
    setup_->job()->set_resume(run_folder_of(checkpoint));
    start_run();
  });
  connect(run_, &RunPage::accept_requested, this, [this](const RunEnd& refusal) {
    JobSpec job = p_.engine->job();
    job.accept_changed.insert(job.accept_changed.end(), refusal.changed.begin(),
                              refusal.changed.end());
    job.start_over = refusal.start_over;
    launch(job);
  });
  connect(actions_->open_folder, &QAction::triggered, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(ended_folder_)); });
  connect(p_.document, &PresetDocument::changed, this, &MainWindow::update_live);
  connect(actions_->apply_live, &QAction::triggered, this, [this] {
    p_.engine->request_settings(p_.document->preset());
    p_.data->set_total(p_.engine->job().preset.training.steps);
    show_info(tr("The run uses the changed settings after this step."));
  });
  connect(actions_->compare, &QAction::triggered, this, [this] { show_page(history); });
  connect(actions_->go_on, &QAction::triggered, this, &MainWindow::continue_run);
}

void MainWindow::set_shown_run(const QString& folder) {
  ended_folder_ = folder;
  actions_->set_outcome(!folder.isEmpty());
  grid_->set_render_refusal(render_refusal());
}

void MainWindow::update_live() {
  const Preset &running = p_.engine->job().preset, &draft = p_.document->preset();
  const RunState state = p_.engine->shown_state();
  const bool going = state == RunState::training || state == RunState::paused;
  const bool useful = going && with_live_settings(running, draft) != running;
  for (const std::string_view key : live_settings()) {
    if (FieldRow* row = setup_->form()->row(to_qstring(key))) {
      row->set_live(going);
    }
  }
  if (actions_->apply_live->isEnabled() != useful) {
    actions_->apply_live->setEnabled(useful);
    if (going) {
      bar_->set_state(state, {});
    }
  }
}

QString MainWindow::render_refusal() const {
  if (p_.engine->is_running()) {
    return tr("The engine is busy: another strength can be rendered when the run has ended.");
  }
  if (p_.engine->is_checking()) {
    return tr("The engine is checking the settings.");
  }
  if (ended_folder_.isEmpty() || !QFileInfo::exists(adapter_file(ended_folder_, p_.data->preset))) {
    return tr("Another strength needs the adapter file of a finished run.");
  }
  return {};
}

void MainWindow::render_sample(int prompt, double weight) {
  const auto& prompts = p_.data->preset.samples.prompts;
  if (prompt < 0 || prompt >= static_cast<int>(prompts.size())) {
    show_error(tr("The run's preset has no prompt %1.").arg(prompt + 1));
    return;
  }
  const SamplePrompt& wanted = prompts[static_cast<std::size_t>(prompt)];
  const int side = p_.data->preset.data.resolution;
  SampleRequest request;
  try {
    request.base = RunFolder::open(to_path(ended_folder_)).frozen_job().base;
  } catch (const Error& e) {
    show_error(QString::fromUtf8(e.what()));
    return;
  }
  const QFileInfo adapter(adapter_file(ended_folder_, p_.data->preset));
  request.loras = {{to_path(adapter.filePath()), weight}};
  request.prompt = wanted.prompt;
  request.negative = wanted.negative;
  request.steps = wanted.steps;
  request.guidance = wanted.guidance;
  request.seed = wanted.seed;
  request.width = wanted.width > 0 ? wanted.width : side;
  request.height = wanted.height > 0 ? wanted.height : side;
  request.device = setup_->job()->job().device;
  const QString folder = QDir(ended_folder_).filePath(QStringLiteral("samples"));
  const QString name = QStringLiteral("strength-%1-%2.png")
                           .arg(prompt, 2, 10, QLatin1Char('0'))
                           .arg(qRound(100 * weight), 3, 10, QLatin1Char('0'));
  request.out = to_path(QDir(folder).filePath(name));
  rendered_prompt_ = prompt;
  // The same prompt, adapter and strength give the same picture.
  const QFileInfo earlier(path_text(request.out));
  if (earlier.exists() && earlier.lastModified() >= adapter.lastModified()) {
    grid_->show_rendered(path_text(request.out), prompt, weight);
  } else if (!QDir().mkpath(folder)) {
    show_error(tr("Can't make the folder %1; choose a place you may write to.").arg(folder));
  } else {
    p_.engine->render(request);
  }
}

void MainWindow::connect_samples() {
  connect(grid_, &SampleGrid::render_requested, this, &MainWindow::render_sample);
  connect(grid_, &SampleGrid::cancel_requested, p_.engine, &EngineClient::cancel_render);
  connect(p_.engine, &EngineClient::rendered, this, [this](const SampleRequest& request) {
    grid_->show_rendered(path_text(request.out), rendered_prompt_, request.loras.at(0).weight);
  });
  connect(p_.engine, &EngineClient::render_failed, this, [this](const RunEnd& end) {
    if (end.kind != ErrorKind::interrupted) {
      show_error(end.message);
    }
  });
}

void MainWindow::continue_run() {
  setup_->job()->set_resume(ended_folder_);
  const std::int64_t done = p_.data->step();
  if (done >= p_.document->preset().training.steps) {
    show_page(setup);
    setup_->form()->jump_to(QStringLiteral("training.steps"));
    show_info(tr("All %1 steps are done. Raise the number of steps, then press Start to continue "
                 "the run.")
                  .arg(step_text(done)));
  } else {
    start_run();
  }
}

void MainWindow::connect_queue() {
  auto* panel = new QueuePanel(queue_, actions_->enqueue, p_.theme, run_);
  QToolButton* chip = run_->add_view(tr("Queue"), tr("Runs that start one after another"), panel);
  const auto count = [this, chip] {
    chip->setText(queue_->waiting() > 0 ? tr("Queue · %1").arg(queue_->waiting()) : tr("Queue"));
  };
  connect(queue_, &RunQueue::changed, this, count);
  count();
  connect(queue_, &RunQueue::start_requested, this, &MainWindow::launch);
  connect(queue_, &RunQueue::lost, this, &MainWindow::show_error);
  connect(actions_->enqueue, &QAction::triggered, this, [this] {
    if (const std::optional<JobSpec> job = job_of_setup()) {
      queue_->add(*job);
      show_info(queue_->is_on()
                    ? tr("Added to the queue.")
                    : tr("Added to the queue. Start it on the Train page, under Queue."));
    }
  });
}

std::optional<JobSpec> MainWindow::job_of_setup() {
  const QString missing = setup_->job()->missing();
  if (!missing.isEmpty()) {
    show_page(setup);
    show_error(missing);
    return std::nullopt;
  }
  JobSpec job = setup_->job()->job();
  // What a continued run trains was frozen when it began.
  const QString refusal = job.resume ? QString() : setup_->precision()->refusal();
  if (!refusal.isEmpty()) {
    show_page(setup);
    show_error(tr("Start is blocked. %1").arg(refusal));
    return std::nullopt;
  }
  job.preset = p_.document->preset();
  return job;
}

void MainWindow::start_run() {
  if (p_.engine->is_running()) {
    return;
  }
  if (const std::optional<JobSpec> job = job_of_setup()) {
    launch(*job);
  }
}

void MainWindow::launch(const JobSpec& job) {
  data_->save();  // the run reads the captions as they stand there
  messages_->hide();
  end_text_.clear();
  phase_.clear();
  phase_done_ = phase_total_ = 0;
  actions_->set_outcome(false);
  // A continued run keeps the curves that are already there.
  if (!job.resume || path_text(*job.resume) != ended_folder_) {
    p_.data->begin(job.preset.training.steps);
    p_.samples->clear();
    run_->begin();
  } else {
    p_.data->set_total(job.preset.training.steps);
    run_->hide_failure();
  }
  p_.data->preset = job.preset;
  run_->log()->clear();
  ticker_->reset_figures();
  show_page(train);
  JobSpec started = job;
  if (job.resume) {
    // Its files are those it was started with; the fields may show another run's.
    started.base.clear();
    for (const auto folders : {&JobSpec::images, &JobSpec::prior, &JobSpec::validation}) {
      (started.*folders).clear();
    }
  }
  p_.engine->start(started);
}

}  // namespace mantissa::gui
