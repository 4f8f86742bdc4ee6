#pragma once

#include <QFrame>
#include <memory>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/history/RunLibrary.h"

class QLabel;
class QLayout;
class QStackedWidget;
class QTableWidget;
class QTimer;
class QToolButton;

namespace mantissa::gui {

struct ComparedRun;
class EmptyState;
class PlotLink;
class PlotWidget;
class ResultView;
class SampleComparison;
enum class PlotFormat;

/// The selected runs side by side: their curves in one plot, the settings in which they differ, and
/// samples of the same prompt. A single run shows its own. Active runs are updated live.
class ComparePage : public QFrame {
  Q_OBJECT

 public:
  static constexpr int kMaxRuns = 6;  ///< the number of distinguishable colours

  ComparePage(RunLibrary* library, const Theme* theme, QWidget* parent = nullptr);
  ~ComparePage() override;

  /// In the order of the list; at most kMaxRuns. No effect if they are the same runs.
  void show_runs(const QStringList& ids);
  enum View { curves, settings, samples, result };
  void show_view(View view);
  /// As on the Train page: the share of the average that a step keeps.
  void set_smoothing(double beta);

  PlotWidget* loss_plot() const { return loss_; }
  PlotWidget* grad_plot() const { return grad_; }
  QTableWidget* settings_table() const { return settings_table_; }
  /// Result of a single run.
  ResultView* result_view() const { return result_; }
  /// Details of a shown run; null while it is being read.
  const RunDetail* detail(const QString& id) const;
  int loaded() const;

 signals:
  void loaded_runs();
  void export_requested(PlotWidget* plot, PlotFormat format);

 private:
  QLayout* build_chips(QWidget* page);
  QWidget* build_curves();
  QWidget* build_settings();
  void take(const RunDetail& detail);
  void update_plots();
  using Runs = std::vector<const ComparedRun*>;
  void update_settings();
  /// A row of the table of settings, with a value for each run; returns its number.
  int add_row(const QString& name, const QStringList& values);
  /// Adds the settings that differ between the runs, or of one from the defaults.
  void add_settings(const Runs& runs);
  void update_samples();
  void update_result();
  void poll();
  void follow_list();

  RunLibrary* library_;
  const Theme* theme_;
  QStackedWidget *stack_, *views_;
  EmptyState* nothing_;
  std::vector<QToolButton*> chips_;
  PlotLink* link_;
  PlotWidget *loss_ = nullptr, *grad_ = nullptr;
  QTableWidget* settings_table_;
  ResultView* result_;
  QLabel* settings_note_;
  SampleComparison* samples_;
  std::vector<std::unique_ptr<ComparedRun>> runs_;
  QTimer* timer_;
  double smoothing_ = 0.9;
};

}  // namespace mantissa::gui
