#include "gui/app/Session.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QScreen>
#include <QThread>
#include <utility>

#include "engine/core/error.h"
#include "engine/run/run_files.h"
#include "gui/app/DraftKeeper.h"
#include "gui/app/PageTable.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/precision/ProbeView.h"
#include "gui/precision/RateTestView.h"
#include "gui/preset/PresetDiff.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {
namespace {

/// After this, a page still loading is rendered as it is.
constexpr int kPatienceMs = 15000;

/// A screen grab if there is a screen, else the rendered window.
QPixmap screenshot_of(QWidget& window) {
  return QGuiApplication::platformName() == QLatin1String("xcb")
             ? window.screen()->grabWindow(window.winId())
             : window.grab();
}

}  // namespace

Session::Session(QApplication& app, SessionOptions options, QObject* parent)
    : QObject(parent),
      app_(app),
      options_(std::move(options)),
      settings_(options_.settings_file),
      title_bars_(app, theme_),
      screen_fit_(app) {
  theme_.apply(app, settings_.theme());
  document_ = std::make_unique<PresetDocument>();
  samples_ = std::make_unique<SampleModel>();
  engine_ = std::make_unique<EngineClient>(options_.runner, options_.planner);
  engine_->set_apart_runner(options_.apart);
  engine_->set_sample_runner(options_.sample_runner);
  engine_->set_prober(options_.prober);
  engine_->set_solver(options_.solver);
  engine_->set_rate_tester(options_.rate_tester);
  engine_->set_verifier(options_.verifier);
  watcher_ = std::make_unique<PlanWatcher>(
      options_.draft_planner ? options_.draft_planner : options_.planner,
      options_.live_planner ? options_.live_planner : options_.planner, options_.inspection);
  runs_ = std::make_unique<RunLibrary>(options_.places);
  run_watcher_ = std::make_unique<RunWatcher>(runs_.get());
  reader_ = std::make_unique<SettingsReader>(options_.reader);
  make_window();
  connect(engine_.get(), &EngineClient::state_changed, this, &Session::stay_awake);
  connect(engine_.get(), &EngineClient::ended, this, &Session::change_waiting_language);
}

/// A paused run may wait for days.
void Session::stay_awake() {
  const bool busy = engine_->is_busy() && engine_->state() != RunState::paused;
  awake_.hold(busy || window_->queue()->running_beside() > 0);
}

bool Session::trains() const {
  return engine_->is_running() || window_->queue()->running_beside() > 0;
}

void Session::change_waiting_language() {
  if (!next_language_ || trains()) {
    return;
  }
  const QString code = *std::exchange(next_language_, std::nullopt);
  // After all other listeners were notified of the end.
  QMetaObject::invokeMethod(
      this, [this, code] { replace_window(code); }, Qt::QueuedConnection);
}

void Session::make_window() {
  window_ = std::make_unique<MainWindow>(WindowParts{.settings = &settings_,
                                                     .theme = &theme_,
                                                     .document = document_.get(),
                                                     .engine = engine_.get(),
                                                     .run_data = &data_,
                                                     .sample_model = samples_.get(),
                                                     .watcher = watcher_.get(),
                                                     .runs = runs_.get(),
                                                     .reader = reader_.get(),
                                                     .beside = options_.beside,
                                                     .has_script = options_.has_script,
                                                     .find_roots = options_.find_roots},
                                         options_.questions);
  window_->files()->set_library(options_.library);
  connect(window_.get(), &MainWindow::language_chosen, this, &Session::change_language);
  connect(window_->queue(), &RunQueue::changed, this, &Session::stay_awake);
  connect(window_->queue(), &RunQueue::ended_beside, this, &Session::change_waiting_language);
  connect_history();
}

void Session::change_language(const QString& code) {
  settings_.set_language(code);
  if (trains()) {
    next_language_ = code;
    window_->show_info(tr("The language changes as soon as the run ends."));
    return;
  }
  // Not from within the menu of the window that goes.
  QMetaObject::invokeMethod(
      this, [this, code] { replace_window(code); }, Qt::QueuedConnection);
}

void Session::replace_window(const QString& code) {
  if (!window_->data_page()->save()) {  // it holds them alone
    window_->show_error(
        tr("The language changes at the next start: captions or a mask that can't "
           "be written now would be lost."));
    return;
  }
  load_language(app_, code);
  const bool kept = window_->keeper()->keep();
  const QString resume = path_text(window_->setup_page()->job()->job().resume.value_or(""));
  const QString shown_run = window_->status()->shown_run();
  const bool finished = window_->status()->is_finished();
  const QVector<LogLine> log = window_->run_page()->log()->lines();
  const ProbeView* probe = window_->setup_page()->probe();
  const std::optional<ProbeReport> probed = probe->report();
  const std::optional<PrecisionFront> found = probe->found();
  const Preset probed_preset = probe->probed();
  const RateTestView* rates = window_->setup_page()->rates();
  const std::optional<RateTest> tested = rates->test();
  const Preset tested_preset = rates->tested();
  const bool visible = window_->isVisible();
  std::unique_ptr<MainWindow> old = std::move(window_);
  for (QObject* source : std::initializer_list<QObject*>{runs_.get(), run_watcher_.get()}) {
    source->disconnect(this);
  }
  disconnect(watching_);
  make_window();
  if (kept && !settings_.draft().isEmpty()) {
    window_->keeper()->take_over();
  }
  window_->setup_page()->job()->set_resume(resume);
  window_->status()->set_shown_run(shown_run, finished);
  if (data_.has_steps()) {
    window_->setup_page()->diff()->set_run(data_.preset, to_qstring(data_.preset.output.name));
  }
  window_->run_page()->begin();
  window_->run_page()->log()->append(log);
  if (probed) {
    window_->setup_page()->probe()->show_report(*probed, probed_preset);
  } else if (found) {
    window_->setup_page()->probe()->show_front(*found, probed_preset);
  }
  if (tested) {
    window_->setup_page()->rates()->show_test(*tested, tested_preset);
  }
  // Shown before the old one goes: without a window the program would end.
  window_->setVisible(visible);
  window_->device_page()->refresh();
  emit window_changed();
}

Session::~Session() {
  // The engine first: it may still be saving, and posts to parts that must exist.
  engine_->disconnect();
  watcher_->disconnect();
  run_watcher_.reset();
  runs_->disconnect();
  window_.reset();
  runs_.reset();
  watcher_.reset();
  engine_.reset();
}

void Session::open_run(const QString& run) {
  if (!options_.load_run) {
    throw Error(message<"this build of the studio can't read runs.">());
  }
  const LoadedRun loaded = options_.load_run(run);
  data_.begin(run_length(loaded.preset, 0).steps);
  data_.preset = loaded.preset;
  data_.append(loaded.steps);
  for (const ValidationRecord& record : loaded.validation) {
    data_.add_validation(record);
  }
  samples_->clear();
  for (const SampleRecord& sample : loaded.samples) {
    samples_->add(sample);
    data_.add_marker(PlotMarker::Kind::sample, sample.step, tr("sample rendered"));
  }
  for (const auto& [path, step] : loaded.checkpoints) {
    data_.add_marker(PlotMarker::Kind::saved, step, tr("saved to %1").arg(path), path);
  }
  RunPage* page = window_->run_page();
  page->log()->clear();
  page->log()->append(loaded.log);
  for (const PauseRecord& pause : loaded.pauses) {
    data_.add_pause(pause);
  }
  if (loaded.rates) {
    data_.set_process_rates(*loaded.rates);
  }
  page->begin();
  window_->show_page(window_->run_page());
  run_watcher_->stop();
  load_health(loaded.id);
  if (!is_final_state(loaded.state.toStdString())) {
    window_->status()->show_earlier(QString(), false);
    run_watcher_->watch(
        loaded.id, {.step = data_.step() > 0 ? data_.step() : -1,
                    .event = loaded.last_event,
                    .validation = loaded.validation.empty() ? -1 : loaded.validation.back().step});
    attach(loaded);
  } else {
    window_->status()->show_earlier(path_text(loaded.folder),
                                    !can_continue(loaded.state.toStdString()));
  }
  window_->setup_page()->diff()->set_run(loaded.preset, loaded.id);
  introduce(loaded);
}

void Session::introduce(const LoadedRun& run) {
  const std::string state = run.state.toStdString();
  const QString text =
      engine_->is_apart()      ? tr("Run %1 is in progress, in a process of its own.").arg(run.id)
      : !is_final_state(state) ? tr("Watching run %1, which another program trains.").arg(run.id)
      : !can_continue(state)   ? tr("Run %1 has finished.").arg(run.id)
      : has_checkpoint(run.folder)
          ? tr("Run %1: %2. Resume continues it from its last checkpoint.")
                .arg(run.id, run_state_text(state))
          : tr("Run %1: %2. It has no checkpoint: Start over trains it again from step 0, in "
               "place of what is recorded.")
                .arg(run.id, run_state_text(state));
  window_->messages()->offer(text, {{tr("Compare its settings"), [this] {
                                       SetupPage* setup = window_->setup_page();
                                       window_->show_page(setup);
                                       setup->show_view(SetupPage::diff_view);
                                       setup->diff()->show_run();
                                     }}});
}

/// The layer statistics, once they are read: with many layers that takes its time.
void Session::load_health(const QString& run) {
  runs_->load_health(run, HealthData::kMaxRows, this,
                     [this, run, begun = data_.begun()](std::vector<HealthRecord>& records) {
                       if (begun != data_.begun()) {
                         return;  // another run is shown now
                       }
                       if (run_watcher_->id() == run) {
                         run_watcher_->know_health(records.empty() ? -1 : records.back().step);
                       }
                       data_.health.add_earlier(std::move(records));
                       window_->run_page()->on_labels();
                     });
}

/// Waits until the page is loaded, laid out and drawn.
void Session::settle() {
  QElapsedTimer waited;
  waited.start();
  int quiet = 0;
  while (quiet < 3 && waited.elapsed() < kPatienceMs) {
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents, 20);
    QThread::msleep(10);
    quiet = window_->is_loading() ? 0 : quiet + 1;
  }
}

void Session::save_screenshot(const QString& file) {
  if (!screenshot_of(*window_).save(file)) {
    throw Error(
        message<"can't write {file}; choose a folder you may write to.">(file.toStdString()));
  }
}

void Session::save_screenshots(const QString& folder) {
  if (!QDir().mkpath(folder)) {
    throw Error(message<"can't make the folder {folder}; choose a place you may write to.">(
        folder.toStdString()));
  }
  // Only the pages, without transient messages.
  window_->messages()->hide();
  const auto save = [&](const QString& id) {
    settle();
    save_screenshot(QDir(folder).filePath(id + QStringLiteral(".png")));
  };
  Page* before = window_->page();
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    Page* page = window_->pages()[i];
    window_->show_page(page);
    save(QString::fromLatin1(page_table()[i].id));
    for (const Page::Look& look : page->looks()) {
      if (look.show()) {
        save(look.id);
      }
    }
  }
  window_->show_page(before);
}

}  // namespace mantissa::gui
