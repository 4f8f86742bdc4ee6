#pragma once

#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/preset/preset_library.h"
#include "engine/run/run_launch.h"
#include "gui/app/MainWindow.h"
#include "gui/base/Language.h"
#include "gui/base/Theme.h"
#include "gui/desktop/ScreenFit.h"
#include "gui/desktop/StayAwake.h"
#include "gui/desktop/TitleBars.h"
#include "gui/engine/ApartRun.h"
#include "gui/engine/AppSettings.h"
#include "gui/engine/EngineClient.h"
#include "gui/history/RunLibrary.h"
#include "gui/history/RunWatcher.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SettingsReader.h"
#include "gui/run/RunData.h"
#include "gui/run/RunLoader.h"
#include "gui/samples/SampleModel.h"

namespace mantissa::gui {

class FirstRunWizard;

/// The program's dependencies; tests pass a scripted engine and answers.
struct SessionOptions {
  Runner runner;
  Planner planner;
  Runner apart{};  ///< trains a run in a process of its own; empty: none can
  /// Such runs that this start may find again; empty: none.
  std::function<std::vector<RunLaunch>()> launches{};
  Runner beside{};  ///< trains runs of the queue on further cards; empty: none can
  SampleRunner sample_runner;
  Prober prober;
  Solver solver;
  RateTester rate_tester;
  Verifier verifier;
  /// As the planner, but without scanning images: for every edit; empty: the planner.
  Planner live_planner;
  /// As the planner, for a draft that is left as it is; empty: the images are seen by Check alone.
  PlanWatcher::Inspection inspection{};
  /// Types and findings only, fast enough for every key press; empty: the planner.
  Planner draft_planner;
  std::function<LoadedRun(const QString& run)> load_run;
  RunPlaces places;  ///< without functions, no history
  std::vector<PresetEntry> library;
  /// Reads the presets once the window is drawn; may throw.
  std::function<std::vector<PresetEntry>()> load_library;
  WindowQuestions questions = WindowQuestions::with_dialogs();
  QString settings_file;  ///< empty: the usual place
  SettingsReader::Program reader{};
  HasScript has_script = has_installed_font;
  FindRoots find_roots = ProgramRoots::of_this_machine;
};

/// The composition root: owns and wires every long-lived part of the studio. There are no
/// singletons; dependencies are passed in.
class Session : public QObject {
  Q_OBJECT

 public:
  Session(QApplication& app, SessionOptions options, QObject* parent = nullptr);
  ~Session() override;

  MainWindow& window() { return *window_; }
  EngineClient& engine() { return *engine_; }
  PresetDocument& document() { return *document_; }
  PlanWatcher& watcher() { return *watcher_; }
  RunData& data() { return data_; }
  SampleModel& samples() { return *samples_; }
  Theme& theme() { return theme_; }
  AppSettings& settings() { return settings_; }
  RunLibrary& runs() { return *runs_; }
  RunWatcher& run_watcher() { return *run_watcher_; }
  const StayAwake& awake() const { return awake_; }

  /// Shows a recorded run on the Train and Samples pages; its settings can be compared with the
  /// draft, which stays. Throws Error if there is no such run.
  void open_run(const QString& run);
  /// Brings back the edits of the last session and keeps those of this one.
  void restore_draft();
  /// Work deferred until the window is drawn: reading presets, and finding runs whose process died.
  void begin_background();
  /// The window in another language: a new one in place of the old, with all that it showed. While
  /// a run is in progress, as soon as that ends. Empty: the system's.
  void change_language(const QString& code);
  /// The first-start wizard; null if this isn't the first start.
  FirstRunWizard* welcome();
  /// Renders every page to <folder>/<page>.png, and the other views of pages. Throws Error naming a
  /// file it can't write.
  void save_screenshots(const QString& folder);

 signals:
  /// The window was replaced.
  void window_changed();

 private:
  void make_window();
  void replace_window(const QString& code);
  /// Whether any run is in progress, of the Train page or beside it.
  bool trains() const;
  void stay_awake();
  /// A run has ended: the language that waits for it.
  void change_waiting_language();
  void connect_history();
  /// False, with a message, while the Train page shows a run in progress.
  bool may_show_run();
  void load_health(const QString& run);
  void resume_run(const QString& id);
  /// Shows runs of their own that an earlier start left in progress, and tells of those that ended.
  void find_launched();
  void find_launched(const RunLaunch& launch);
  /// Commands a run in progress if it is one of those; else it is only watched.
  void attach(const LoadedRun& run);
  void attach(const RunLaunch& launch, const JobSpec& job, const KnownOfRun& known);
  /// A message that names the opened run, with a link to its settings.
  void introduce(const LoadedRun& run);
  /// Runs of earlier sessions that can be continued.
  void offer_left(const QVector<LeftRun>& runs);
  void show_gain(const RunDetail& detail);
  void settle();
  void save_screenshot(const QString& file);

  QApplication& app_;
  SessionOptions options_;
  std::optional<QString> next_language_;  ///< when the run ends
  AppSettings settings_;
  Theme theme_;
  TitleBars title_bars_;
  ScreenFit screen_fit_;
  StayAwake awake_;
  std::unique_ptr<PresetDocument> document_;
  RunData data_;
  std::unique_ptr<SampleModel> samples_;
  std::unique_ptr<EngineClient> engine_;
  std::unique_ptr<PlanWatcher> watcher_;
  std::unique_ptr<RunLibrary> runs_;
  std::unique_ptr<RunWatcher> run_watcher_;
  std::unique_ptr<SettingsReader> reader_;
  QMetaObject::Connection watching_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace mantissa::gui
