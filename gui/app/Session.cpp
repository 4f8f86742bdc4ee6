#include "gui/app/Session.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QScreen>
#include <QThread>

#include "engine/core/error.h"
#include "engine/train/run_files.h"
#include "gui/app/PageTable.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunPage.h"
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
    : QObject(parent), options_(std::move(options)), settings_(options_.settings_file) {
  theme_.apply(app, settings_.theme());
  document_ = std::make_unique<PresetDocument>();
  samples_ = std::make_unique<SampleModel>();
  engine_ = std::make_unique<EngineClient>(options_.runner, options_.planner);
  engine_->set_sample_runner(options_.sample_runner);
  watcher_ = std::make_unique<PlanWatcher>(
      options_.draft_planner ? options_.draft_planner : options_.planner, options_.planner);
  runs_ = std::make_unique<RunLibrary>(options_.places);
  run_watcher_ = std::make_unique<RunWatcher>(runs_.get());
  window_ = std::make_unique<MainWindow>(WindowParts{.settings = &settings_,
                                                     .theme = &theme_,
                                                     .document = document_.get(),
                                                     .engine = engine_.get(),
                                                     .data = &data_,
                                                     .samples = samples_.get(),
                                                     .watcher = watcher_.get(),
                                                     .runs = runs_.get()},
                                         options_.questions);
  window_->files()->set_library(options_.library);
  connect_history();
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
  document_->load(loaded.preset, QString());
  data_.begin(loaded.preset.training.steps);
  data_.preset = loaded.preset;
  data_.append(loaded.steps);
  for (const ValidationRecord& record : loaded.validation) {
    data_.add_validation(record);
  }
  for (const HealthRecord& record : loaded.health) {
    data_.health.add(record);
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
  page->begin();
  window_->show_page(window_->run_page());
  run_watcher_->stop();
  if (!is_final_state(loaded.state.toStdString())) {
    window_->setup_page()->job()->set_resume(QString());
    run_watcher_->watch(
        loaded.id, {.step = data_.step() > 0 ? data_.step() : -1,
                    .event = loaded.last_event,
                    .health = loaded.health.empty() ? -1 : loaded.health.back().step,
                    .validation = loaded.validation.empty() ? -1 : loaded.validation.back().step});
    window_->show_info(tr("Watching run %1, which another program trains.").arg(loaded.id));
    return;
  }
  window_->status()->set_shown_run(path_text(loaded.folder));
  const bool goes_on = can_continue(loaded.state.toStdString());
  if (goes_on) {
    window_->setup_page()->job()->set_resume(path_text(loaded.folder));
  }
  window_->show_info(goes_on ? tr("Run %1 is %2. Start continues it from its last checkpoint.")
                                   .arg(loaded.id, run_state_text(loaded.state.toStdString()))
                             : tr("Run %1 has finished.").arg(loaded.id));
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
