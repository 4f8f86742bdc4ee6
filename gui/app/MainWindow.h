#pragma once

#include <QMainWindow>
#include <memory>
#include <vector>

#include "gui/app/WindowFrame.h"
#include "gui/widgets/Page.h"

class QUndoGroup;

namespace mantissa::gui {

class CloseGuard;
class DraftKeeper;
class DraftProbe;
class DraftReview;
class DropTarget;
class EmptyPages;
class FreeRenders;
class HeaderBar;
class LengthNotes;
class LiveSettings;
class Notifier;
class PresetFiles;
class RunFeed;
class RunResults;
class RunStarter;
class RunVerifier;
class RunStatus;
class StrengthRenders;
class WindowMenus;

/// Assembles the window: its pages, the frame around them, and the parts that connect them.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(const WindowParts& parts, WindowQuestions questions, QWidget* parent = nullptr);
  ~MainWindow() override;

  void show_page(Page* page);
  Page* page() const;
  /// In the order of the table.
  const std::vector<Page*>& pages() const;
  /// Whether the current page is still loading.
  bool is_loading() const;
  void show_error(const QString& text);
  void show_exception(const std::exception& e);
  void show_info(const QString& text);

  SetupPage* setup_page() const { return frame_.setup; }
  DataPage* data_page() const { return frame_.data_page; }
  RunPage* run_page() const { return frame_.run; }
  SampleGrid* sample_grid() const { return frame_.sample_grid; }
  HistoryPage* history_page() const { return frame_.history; }
  DevicePage* device_page() const { return frame_.device; }
  RunBar* run_bar() const { return frame_.bar; }
  RunActions* actions() const { return frame_.actions; }
  RunQueue* queue() const { return frame_.queue; }
  FrameTicker* ticker() const { return frame_.ticker; }
  MessageBar* messages() const { return frame_.messages; }
  Notifier* notifier() const { return notifier_; }
  PresetFiles* files() const { return files_.get(); }
  DropTarget* drops() const { return drops_.get(); }
  RunStarter* starter() const { return starter_.get(); }
  RunStatus* status() const { return status_.get(); }
  RunResults* results() const { return results_.get(); }
  RunVerifier* verifier() const { return verifier_.get(); }
  DraftKeeper* keeper() const { return keeper_.get(); }

 signals:
  /// Once, when the window has been drawn for the first time.
  void first_frame();
  /// The user wants another language; empty: the system's. The window keeps its own.
  void language_chosen(const QString& code);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void lay_out();
  void find_pages();
  void drop_news();
  void connect_pages();
  void connect_devices();
  void connect_run_page();
  void update_title();
  void connect_closing();
  void hand_over();

  WindowFrame frame_;
  QString news_;      ///< of a page, while it is shown
  QUndoGroup* undo_;  ///< the stack of the current page
  HeaderBar* header_ = nullptr;
  Notifier* notifier_;
  // Users of the frame are destroyed before it and its widgets.
  std::unique_ptr<PresetFiles> files_;
  std::unique_ptr<DropTarget> drops_;
  std::unique_ptr<DraftKeeper> keeper_;
  std::unique_ptr<CloseGuard> guard_;
  std::unique_ptr<WindowMenus> menus_;
  std::unique_ptr<LiveSettings> live_;
  std::unique_ptr<LengthNotes> lengths_;
  std::unique_ptr<RunStatus> status_;
  std::unique_ptr<RunFeed> feed_;
  std::unique_ptr<RunResults> results_;
  std::unique_ptr<RunVerifier> verifier_;
  std::unique_ptr<DraftReview> draft_;
  std::unique_ptr<DraftProbe> probe_;
  std::unique_ptr<RunStarter> starter_;
  std::unique_ptr<StrengthRenders> strengths_;
  std::unique_ptr<FreeRenders> free_;
  std::unique_ptr<EmptyPages> empty_;
  bool drawn_ = false, begun_ = false;
};

}  // namespace mantissa::gui
