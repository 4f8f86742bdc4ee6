#pragma once

#include <QMainWindow>
#include <functional>
#include <optional>
#include <vector>

#include "engine/preset/import.h"
#include "engine/preset/preset_library.h"
#include "gui/base/Theme.h"
#include "gui/engine/EngineClient.h"
#include "gui/widgets/PathEdit.h"

class QButtonGroup;
class QLabel;
class QMenu;
class QStackedWidget;
class QUndoGroup;

namespace mantissa {
class RunData;
}  // namespace mantissa

namespace mantissa::gui {

class AppSettings;
class Notifier;
class DataPage;
class DevicePage;
class ElideLabel;
class FrameTicker;
class HistoryPage;
class MessageBar;
class PlanWatcher;
class PresetDocument;
class RunActions;
class RunBar;
class RunLibrary;
class RunPage;
class RunQueue;
class SampleGrid;
class SampleModel;
class SetupPage;

/// What the window shows and drives; owned by the Session.
struct WindowParts {
  AppSettings* settings = nullptr;
  Theme* theme = nullptr;
  PresetDocument* document = nullptr;
  EngineClient* engine = nullptr;
  RunData* data = nullptr;
  SampleModel* samples = nullptr;
  PlanWatcher* watcher = nullptr;
  RunLibrary* runs = nullptr;
};

/// Questions the window asks. Each returns at once and calls back; tests answer without a dialog.
struct WindowQuestions {
  PathChooser open_preset, save_preset, import_preset, other_folder;
  enum class Answer { save, discard, cancel };
  std::function<void(QWidget*, const QString& text, std::function<void(Answer)>)> unsaved;
  /// Calls back when the run shall stop, be saved, and the window close.
  std::function<void(QWidget*, const QString& text, std::function<void()>)> stop_running;

  static WindowQuestions with_dialogs();
};

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(const WindowParts& parts, WindowQuestions questions, QWidget* parent = nullptr);

  enum Page { setup, data, train, samples, history, device };
  void show_page(Page page);
  Page page() const;
  /// The page that is shown still waits for something that it reads.
  bool is_loading() const;
  static QStringList page_names();

  bool open_preset(const QString& file);
  /// Shows what importing a file would change; nothing changes before that is accepted.
  void import_file(const QString& file);
  /// Presets, configurations, adapters, base models and image folders, by what they are.
  void take_dropped(const QStringList& paths);
  /// The built-in presets, to choose from.
  void show_picker();
  /// `then` runs once the preset is on disk.
  void save_preset(std::function<void()> then = {});
  void save_preset_as(std::function<void()> then = {});
  void set_library(const std::vector<PresetEntry>& presets);
  /// Starts what Setup describes.
  void start_run();
  /// Shows a run on the Train page and starts it.
  void launch(const JobSpec& job);
  /// The folder of the run on the Train page, which is not going on.
  void set_shown_run(const QString& folder);
  /// Runs `then` when the edits are saved or given up, never when the user thinks better of it.
  void settle_unsaved(std::function<void()> then);
  void show_error(const QString& text);
  void show_info(const QString& text);

  SetupPage* setup_page() const { return setup_; }
  DataPage* data_page() const { return data_; }
  RunPage* run_page() const { return run_; }
  SampleGrid* sample_grid() const { return grid_; }
  HistoryPage* history_page() const { return history_; }
  DevicePage* device_page() const { return device_; }
  RunBar* run_bar() const { return bar_; }
  RunActions* actions() const { return actions_; }
  RunQueue* queue() const { return queue_; }
  FrameTicker* ticker() const { return ticker_; }
  MessageBar* messages() const { return messages_; }
  Notifier* notifier() const { return notifier_; }

 signals:
  /// Once, when the window has been drawn for the first time.
  void first_frame();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build_menus();
  void add_help(QMenu* menu);
  QWidget* build_rail();
  QWidget* build_header();
  void connect_engine();
  void connect_run_page();
  void connect_queue();
  void connect_samples();
  void update_live();
  /// Why no picture can be rendered now; empty where one can.
  QString render_refusal() const;
  void render_sample(int prompt, double weight);
  /// What Setup describes; none, with the reason shown, while something is missing.
  std::optional<JobSpec> job_of_setup();
  void continue_run();
  void connect_pages();
  void connect_setup();
  void add_preset_actions(QMenu* file, QMenu* edit);
  void fill_recent();
  void show_import(const ImportResult& result, const QString& name);
  void paste_preset();
  void plan_draft();
  void fix_all_safe();
  void update_title();
  void update_state();
  void update_details();
  void update_readiness();
  void check_job();
  void finish(const RunEnd& end);
  bool write_preset(const QString& file);
  void set_theme(ThemeMode mode);

  WindowParts p_;
  WindowQuestions ask_;
  RunActions* actions_;
  RunQueue* queue_;
  FrameTicker* ticker_;
  QStackedWidget* pages_;
  QButtonGroup* rail_;
  QUndoGroup* undo_;  ///< the stack of the page that is shown
  SetupPage* setup_;
  DataPage* data_;
  RunPage* run_;
  SampleGrid* grid_;
  HistoryPage* history_;
  DevicePage* device_;
  RunBar* bar_;
  MessageBar* messages_;
  Notifier* notifier_;
  ElideLabel* name_;
  QLabel* changed_;
  QMenu* library_menu_ = nullptr;
  QMenu* recent_menu_ = nullptr;
  std::vector<PresetEntry> library_;
  QString end_text_;
  int rendered_prompt_ = 0;
  int edits_ = 0, checked_edits_ = 0;  // of the form, and when the check began
  QString ended_folder_;               ///< of the run shown, once it has ended
  QString phase_;
  qint64 phase_done_ = 0, phase_total_ = 0;
  bool close_after_run_ = false, may_close_ = false, drawn_ = false, begun_ = false;
};

}  // namespace mantissa::gui
