#pragma once

#include <functional>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/history/RunLibrary.h"
#include "gui/widgets/Page.h"
#include "gui/widgets/PathEdit.h"

class QAction;
class QComboBox;
class QKeySequence;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace mantissa::gui {

class ComparePage;
class EmptyState;
class PlotWidget;
class RunExport;
class RunFilterModel;
class RunFilters;
class RunModel;
enum class PlotFormat;

/// Every run on this computer, including those of other processes: find, watch, compare, continue,
/// clean up.
class HistoryPage : public Page {
  Q_OBJECT

 public:
  HistoryPage(RunLibrary* library, const Theme* theme, QWidget* parent = nullptr);

  /// Shown while there is no run.
  EmptyState* empty() const { return empty_; }
  QTableView* table() const { return table_; }
  RunModel* model() const { return model_; }
  ComparePage* compare() const { return compare_; }
  QLineEdit* search() const;
  QComboBox* tag_filter() const;
  QComboBox* state_filter() const;
  /// Ids of the selected rows, in the order of the table.
  QStringList chosen() const;
  /// The list, or the curves of the selected runs, are still being read.
  bool is_loading() const override;
  /// The newest runs compared.
  std::vector<Look> looks() override;
  void choose(const QString& id);
  /// Selects a run and the latest other one, of the same base model if there is one: at once, or as
  /// soon as it is listed. False if it isn't yet.
  bool compare_with_another(const QString& id);
  /// Selects the newest runs, at most `count`; returns how many.
  int choose_newest(int count);

  struct Actions {
    QAction *open, *resume, *duplicate, *tags, *note, *verify, *csv, *image, *drawing, *report,
        *remove;
  };
  const Actions& actions() const { return actions_; }
  /// For tests, without a dialog.
  void set_save_chooser(PathChooser chooser);

 signals:
  void open_requested(const QString& id);
  void resume_requested(const QString& id);
  void duplicate_requested(const Preset& preset, const QString& name);
  void verify_requested(const QString& id);
  /// A deletion that `RunLibrary::restore` can undo.
  void deleted(const QString& text);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* build_tools();
  QTableView* build_table();
  QAction* make_action(const QString& text, const QKeySequence& keys, const QString& tip,
                       std::function<void()> slot);
  void build_actions();
  void build_exports();
  void update_actions();
  void update_list();
  void told_removed(int count, bool undoable, const QStringList& kept, const QStringList& refused);
  void save_plot(PlotWidget* plot, PlotFormat format);

  RunLibrary* library_;
  const Theme* theme_;
  RunModel* model_;
  RunFilterModel* filter_;
  RunFilters* filters_;
  QStackedWidget* stack_;
  EmptyState* empty_;
  QTableView* table_;
  ComparePage* compare_;
  RunExport* export_;
  Actions actions_{};
  QString compared_;  ///< to be compared once it is listed
};

}  // namespace mantissa::gui
