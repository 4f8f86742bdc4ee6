#pragma once

#include "engine/run/run.h"
#include "gui/base/Theme.h"
#include "gui/engine/EngineClient.h"
#include "gui/plot/PlotWidget.h"
#include "gui/widgets/Page.h"

class QButtonGroup;
class QFrame;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace mantissa::gui {

class AppSettings;
class CardArea;
class DiskCard;
class ElideLabel;
class EmptyState;
class HealthView;
class LogView;
class MarkerCard;
class ImagePane;
class NewestLine;
class PlotsPanel;
class ProcessCard;
class RunData;
class SampleModel;

/// The page of a run: its plots, the cards of their markers, the log, the latest sample, progress
/// while preparing, and the error if it failed. Has further views next to the plots.
class RunPage : public Page {
  Q_OBJECT

 public:
  RunPage(RunData* data, SampleModel* samples, AppSettings* settings, const Theme* theme,
          QWidget* parent = nullptr);

  bool is_loading() const override;
  void brought_up() override;
  std::vector<Look> looks() override;

  /// New steps arrived.
  void on_frame();
  /// The engine reported a non-finite tensor.
  void on_report();
  /// Updates figures next to the plots and layer statistics; at most four times a second.
  void on_labels();
  void on_state(RunState shown);
  /// `text`: the phase, its units and its ETA.
  void show_progress(const QString& text, qint64 done, qint64 total);
  void show_failure(const RunEnd& end, const QString& last_saved, qint64 last_saved_step);
  void hide_failure();
  void begin();

  /// Adds a view next to the plots, selected by a button with this name. Takes ownership of the
  /// widget.
  QToolButton* add_view(const QString& name, const QString& tip, QWidget* view);
  void show_view(QWidget* view);
  /// Shows the curves, if that view is shown.
  void leave_view(QWidget* view);
  /// The card of what happened at a marker.
  void show_marker(const PlotMarker& marker);

  PlotsPanel* plots() const { return plots_; }
  /// In place of the curves while there is no run.
  EmptyState* empty() const { return empty_; }
  HealthView* health() const { return health_; }
  MarkerCard* marker_card() const { return marker_card_; }
  PlotLink* link() const;
  PlotWidget* loss_plot() const;
  PlotWidget* grad_plot() const;
  QSlider* smoothing() const;
  LogView* log() const { return log_; }
  NewestLine* newest_line() const { return newest_line_; }
  QFrame* failure_card() const { return failure_; }
  DiskCard* disk_card() const { return disk_; }
  ProcessCard* processes() const { return processes_; }
  /// Around them, above the plots.
  CardArea* cards() const { return cards_; }
  /// Everything needed to diagnose the failure.
  QString failure_report() const;

 signals:
  void resume_requested(const QString& checkpoint);
  /// The user wants to resume a refused run: with the changes, or from the beginning.
  void accept_requested(const RunEnd& refusal);
  void fix_requested(const QString& patch_json, const QString& id);
  void field_requested(const QString& key);
  void samples_requested(qint64 step);

 private:
  QWidget* build_side();
  void build_cards();
  void mark_fatal_step();
  void update_empty();

  RunData* data_;
  SampleModel* samples_;
  const Theme* theme_;
  PlotsPanel* plots_ = nullptr;
  HealthView* health_ = nullptr;
  MarkerCard* marker_card_ = nullptr;
  CardArea* cards_ = nullptr;
  QStackedWidget *views_ = nullptr, *curves_ = nullptr;
  EmptyState* empty_ = nullptr;
  RunState shown_ = RunState::idle;
  QHBoxLayout* view_row_ = nullptr;
  QButtonGroup* view_buttons_ = nullptr;
  LogView* log_ = nullptr;
  NewestLine* newest_line_ = nullptr;
  DiskCard* disk_ = nullptr;
  QFrame *failure_ = nullptr, *phases_ = nullptr;
  QLabel *failure_title_ = nullptr, *failure_text_ = nullptr, *phase_ = nullptr;
  ElideLabel* failure_saved_ = nullptr;
  QPushButton *resume_ = nullptr, *copy_ = nullptr, *accept_ = nullptr, *fix_ = nullptr;
  QHBoxLayout* failure_fields_ = nullptr;
  QProgressBar* phase_bar_ = nullptr;
  QLabel* figures_[7] = {};
  ProcessCard* processes_ = nullptr;
  ImagePane* newest_sample_ = nullptr;
  QLabel* newest_heading_ = nullptr;
  RunEnd end_;
  QString last_saved_;
  QString patch_;  ///< the fix for the failure
};

}  // namespace mantissa::gui
