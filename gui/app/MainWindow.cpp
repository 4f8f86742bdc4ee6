#include "gui/app/MainWindow.h"

#include <QApplication>
#include <QButtonGroup>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QUndoGroup>
#include <QVBoxLayout>

#include "gui/app/FrameTicker.h"
#include "gui/app/Notifier.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/history/HistoryPage.h"
#include "gui/plot/Axis.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/PhaseText.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunData.h"
#include "gui/run/RunFolders.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/samples/SampleGrid.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

MainWindow::MainWindow(const WindowParts& parts, WindowQuestions questions, QWidget* parent)
    : QMainWindow(parent), p_(parts), ask_(std::move(questions)) {
  setObjectName(QStringLiteral("MainWindow"));
  setWindowIcon(app_icon());
  setAcceptDrops(true);
  actions_ = new RunActions(this);
  queue_ = new RunQueue(p_.engine, p_.settings, this);
  notifier_ = new Notifier(p_.engine, p_.data, this, this);
  ticker_ = new FrameTicker(p_.engine, p_.data, this, this);

  auto* central = new QWidget(this);
  auto* rows = new QVBoxLayout(central);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  auto* across = new QHBoxLayout;
  across->setSpacing(0);

  pages_ = new QStackedWidget(central);
  setup_ = new SetupPage(p_.document, p_.settings, ask_.open_preset, p_.theme, pages_);
  data_ = new DataPage(p_.document, setup_->job(), p_.theme, pages_);
  run_ = new RunPage(p_.data, p_.samples, p_.settings, p_.theme, pages_);
  grid_ = new SampleGrid(p_.samples, p_.theme, pages_);
  history_ = new HistoryPage(p_.runs, p_.theme, pages_);
  device_ = new DevicePage(p_.theme, pages_);
  // In the order of Page.
  for (QWidget* page :
       std::initializer_list<QWidget*>{setup_, data_, run_, grid_, history_, device_}) {
    pages_->addWidget(page);
  }
  undo_ = new QUndoGroup(this);
  undo_->addStack(p_.document->undo_stack());
  undo_->addStack(data_->undo_stack());

  across->addWidget(build_rail());
  auto* content = new QVBoxLayout;
  content->setSpacing(0);
  content->addWidget(build_header());
  auto* inner = new QVBoxLayout;
  inner->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  inner->setSpacing(Space::medium);
  messages_ = new MessageBar(p_.theme, central);
  inner->addWidget(messages_);
  inner->addWidget(pages_, 1);
  content->addLayout(inner, 1);
  across->addLayout(content, 1);
  rows->addLayout(across, 1);
  bar_ = new RunBar(actions_, p_.theme, central);
  rows->addWidget(bar_);
  setCentralWidget(central);
  // The first widget would have the focus, and its ring, before anything was chosen.
  central->setFocusPolicy(Qt::ClickFocus);
  central->setAccessibleName(QStringLiteral("Mantissa"));
  central->setFocus();

  build_menus();
  connect_engine();
  connect_queue();
  connect_samples();
  connect_pages();
  connect_setup();
  connect(p_.document, &PresetDocument::title_changed, this, &MainWindow::update_title);
  connect(p_.document->undo_stack(), &QUndoStack::cleanChanged, this, &MainWindow::update_title);
  connect(run_, &RunPage::export_failed, this, &MainWindow::show_error);
  connect(setup_->precision()->check_button(), &QPushButton::clicked, actions_->check,
          &QAction::trigger);

  resize(1280, 860);
  setMinimumSize(900, 560);
  if (!p_.settings->geometry().isEmpty()) {
    restoreGeometry(p_.settings->geometry());
  }
  update_title();
  update_state();
  show_page(setup);
}

void MainWindow::connect_engine() {
  EngineClient* engine = p_.engine;
  connect(actions_->start, &QAction::triggered, this, &MainWindow::start_run);
  connect(actions_->check, &QAction::triggered, this, &MainWindow::check_job);
  connect(actions_->pause, &QAction::triggered, this, [this, engine] {
    if (engine->state() == RunState::paused) {
      engine->request_resume();
    } else {
      engine->request_pause();
    }
  });
  connect(actions_->stop, &QAction::triggered, engine,
          [engine] { engine->request_stop(RunControl::Stop::discard); });
  connect(actions_->stop_save, &QAction::triggered, engine,
          [engine] { engine->request_stop(RunControl::Stop::save); });
  connect(actions_->save, &QAction::triggered, engine, &EngineClient::request_save);
  connect(actions_->sample, &QAction::triggered, engine, &EngineClient::request_sample);

  connect(engine, &EngineClient::state_changed, this, &MainWindow::update_state);
  connect(engine, &EngineClient::ended, this, &MainWindow::finish);
  connect(engine, &EngineClient::logged, run_->log(), &LogView::append);
  connect(engine, &EngineClient::progressed, this,
          [this](const QString& phase, qint64 done, qint64 total) {
            phase_ = phase;
            phase_done_ = done;
            phase_total_ = total;
            if (p_.engine->state() == RunState::preparing) {
              run_->show_progress(phase, done, total);
              bar_->set_progress(done, total);
            }
          });
  connect(engine, &EngineClient::planned, this, [this](const PlanReport& report) {
    bar_->set_memory(report.peak_bytes, report.free_bytes);
  });
  const auto edited = [this] { ++edits_; };
  connect(p_.document, &PresetDocument::changed, this, edited);
  connect(setup_->job(), &JobPanel::changed, this, edited);
  connect(engine, &EngineClient::checked, this, [this](const PlanReport& report) {
    if (edits_ != checked_edits_) {
      return;  // it is of what the form was when the check began
    }
    bar_->set_memory(report.peak_bytes, report.free_bytes);
    setup_->precision()->show_plan(report);
  });
  connect(engine, &EngineClient::check_failed, this, [this](const RunEnd& end) {
    if (edits_ == checked_edits_) {
      setup_->precision()->show_problem(end.message);
    }
  });
  connect(engine, &EngineClient::sampled, this, [this](const SampleRecord& sample) {
    p_.samples->add(sample);
    p_.data->add_marker(PlotMarker::Kind::sample, sample.step, tr("sample rendered"));
    run_->on_frame();
  });
  connect(engine, &EngineClient::saved, this, [this](const QString& path, qint64 step) {
    p_.data->add_marker(PlotMarker::Kind::saved, step, tr("saved to %1").arg(path), path);
    run_->on_frame();
  });
  connect_run_page();
  connect(ticker_, &FrameTicker::frame, run_, &RunPage::on_frame);
  connect(ticker_, &FrameTicker::labels, this, [this] {
    if (pages_->currentWidget() == run_) {
      run_->on_labels();
    }
    update_details();
  });
}

void MainWindow::update_title() {
  const QString name = shown(p_.document->display_name());
  name_->set_text(name);
  changed_->setVisible(p_.document->is_dirty());
  // Taskbars show the title: how far a run is stands first.
  const QString percent =
      notifier_->percent() < 0 ? QString() : tr("%1 % · ").arg(notifier_->percent());
  setWindowTitle(QStringLiteral("%1%2[*] – Mantissa").arg(percent, name));
  setWindowModified(p_.document->is_dirty());
}

void MainWindow::update_state() {
  const RunState shown = p_.engine->shown_state();
  actions_->set_state(shown);
  if (p_.engine->is_checking() || p_.engine->is_rendering()) {
    actions_->check->setEnabled(false);
  }
  setup_->precision()->check_button()->setEnabled(actions_->check->isEnabled());
  setup_->precision()->set_busy(p_.engine->is_checking());
  update_live();
  bar_->set_state(shown, p_.engine->is_running() ? QString() : end_text_);
  run_->on_state(shown);
  grid_->set_render_refusal(render_refusal());
  grid_->set_rendering(p_.engine->is_rendering());
  if (shown == RunState::paused) {
    p_.data->forget_rate();
  }
  update_details();
}

void MainWindow::update_readiness() {
  const int errors = setup_->precision()->refused();
  actions_->fix_all->setEnabled(errors > 0 && setup_->precision()->can_fix());
  bar_->set_blocked(errors > 0 || !setup_->job()->missing().isEmpty());
  update_details();
}

void MainWindow::update_details() {
  const RunState shown = p_.engine->shown_state();
  const RunData& data = *p_.data;
  QStringList parts;
  switch (shown) {
    case RunState::idle:
      if (const int errors = setup_->precision()->refused(); errors > 0) {
        parts << PrecisionPanel::errors_text(errors);
      } else if (end_text_.isEmpty()) {
        parts << setup_->job()->missing();
      }
      bar_->set_progress(-1, 0);
      break;
    case RunState::preparing:
      if (!phase_.isEmpty()) {
        parts << phase_text(phase_, phase_done_, phase_total_);
      }
      bar_->set_progress(phase_done_, phase_total_);
      break;
    default: {
      if (shown == RunState::pausing || shown == RunState::stopping) {
        const double waited = p_.engine->waiting_seconds();
        parts << (waited < 10 ? tr("finishing step…")
                              : tr("finishing step %1, %2 s so far")
                                    .arg(step_text(data.step() + 1))
                                    .arg(static_cast<int>(waited)));
      }
      if (shown == RunState::paused) {
        parts << tr("the model stays loaded");
      }
      if (data.has_steps()) {
        parts << tr("%1 / %2").arg(step_text(data.step()), step_text(data.total_steps()));
      }
      if (p_.engine->is_running() && data.rate() > 0) {
        parts << (data.rate() >= 1 ? tr("%1 it/s").arg(data.rate(), 0, 'f', 1)
                                   : tr("%1 s/it").arg(1 / data.rate(), 0, 'f', 1));
        parts << tr("ETA %1").arg(format_duration(data.remaining_seconds()));
      }
      if (shown == RunState::training && !phase_.isEmpty() && phase_ != QLatin1String("training") &&
          phase_done_ < phase_total_) {
        parts << phase_text(phase_, phase_done_, phase_total_);
      }
      if (p_.engine->ring().dropped() > 0) {
        parts << tr("%1 steps not plotted").arg(p_.engine->ring().dropped());
      }
      bar_->set_progress(data.step(), std::max<std::int64_t>(data.total_steps(), 1));
    }
  }
  bar_->set_details(parts.join(QStringLiteral(" · ")));
}

void MainWindow::check_job() {
  const QString missing = setup_->job()->missing();
  if (!missing.isEmpty()) {
    show_page(setup);
    setup_->precision()->show_problem(missing);
    return;
  }
  JobSpec job = setup_->job()->job();
  job.preset = p_.document->preset();
  if (p_.engine->check(job)) {
    checked_edits_ = edits_;
  }
}

void MainWindow::finish(const RunEnd& end) {
  ticker_->drain_now();
  run_->on_frame();
  run_->on_labels();
  set_shown_run(end.result.folder.empty() ? run_folder_of(p_.engine->last_saved())
                                          : path_text(end.result.folder));
  switch (end.how) {
    case RunEnd::How::completed:
      end_text_ = tr("Finished");
      if (!end.result.adapter.empty()) {
        show_info(tr("Finished. The adapter is %1").arg(path_text(end.result.adapter)));
      }
      break;
    case RunEnd::How::stopped:
      end_text_ = tr("Stopped");
      show_info(end.message.isEmpty() ? tr("Stopped by you.") : engine_text(end.message));
      break;
    case RunEnd::How::failed:
      end_text_ = tr("Failed");
      run_->show_failure(end, p_.engine->last_saved(), p_.engine->last_saved_step());
      if (!close_after_run_) {
        show_page(train);
      }
      break;
  }
  update_state();
  if (close_after_run_) {
    close();
  }
}

bool MainWindow::open_preset(const QString& file) {
  try {
    p_.document->open(file);
  } catch (const std::exception& e) {
    show_error(QString::fromUtf8(e.what()));
    return false;
  }
  p_.settings->set_last_folder(QFileInfo(file).absolutePath());
  p_.settings->add_recent_file(QFileInfo(file).absoluteFilePath());
  messages_->hide();
  show_page(setup);
  return true;
}

bool MainWindow::write_preset(const QString& file) {
  try {
    p_.document->save_as(file);
  } catch (const std::exception& e) {
    show_error(QString::fromUtf8(e.what()));
    return false;
  }
  p_.settings->set_last_folder(QFileInfo(file).absolutePath());
  p_.settings->add_recent_file(QFileInfo(file).absoluteFilePath());
  return true;
}

void MainWindow::save_preset(std::function<void()> then) {
  if (p_.document->file().isEmpty()) {
    save_preset_as(std::move(then));
  } else if (write_preset(p_.document->file()) && then) {
    then();
  }
}

void MainWindow::save_preset_as(std::function<void()> then) {
  const QString start = p_.document->file().isEmpty()
                            ? QDir(p_.settings->last_folder())
                                  .filePath(p_.document->display_name() + QLatin1String(".json"))
                            : p_.document->file();
  ask_.save_preset(this, start, [this, then = std::move(then)](const QString& file) {
    if (write_preset(file) && then) {
      then();
    }
  });
}

void MainWindow::settle_unsaved(std::function<void()> then) {
  if (!p_.document->is_dirty()) {
    then();
    return;
  }
  ask_.unsaved(this, tr("Save the changes to “%1”?").arg(p_.document->display_name()),
               [this, then = std::move(then)](WindowQuestions::Answer answer) {
                 if (answer == WindowQuestions::Answer::save) {
                   save_preset(then);
                 } else if (answer == WindowQuestions::Answer::discard) {
                   then();
                 }
               });
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (!drawn_) {
    drawn_ = true;
    // Once everything in it is drawn too.
    QTimer::singleShot(0, this, [this] {
      begun_ = true;
      emit first_frame();
    });
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (p_.engine->is_running()) {
    // Never closed over a running job: it saves first, and the window closes when it has.
    event->ignore();
    if (!close_after_run_) {
      ask_.stop_running(this, tr("A run is in progress. Stop it, save and quit?"), [this] {
        close_after_run_ = true;
        queue_->set_on(false);
        if (p_.engine->is_running()) {
          p_.engine->request_stop(RunControl::Stop::save);
        } else {
          close();
        }
      });
    }
    return;
  }
  if (p_.document->is_dirty() && !may_close_) {
    event->ignore();
    close_after_run_ = false;
    settle_unsaved([this] {
      may_close_ = true;
      // Not from within a close that is still going on: Qt would take it for the same one.
      QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
    });
    return;
  }
  p_.settings->set_geometry(saveGeometry());
  event->accept();
}

void MainWindow::set_theme(ThemeMode mode) {
  p_.settings->set_theme(mode);
  p_.theme->apply(*qobject_cast<QApplication*>(QCoreApplication::instance()), mode);
}

void MainWindow::show_error(const QString& text) {
  messages_->show_message(MessageBar::Level::error, error_text(text));
}

void MainWindow::show_info(const QString& text) {
  messages_->show_message(MessageBar::Level::info, text);
}

}  // namespace mantissa::gui
