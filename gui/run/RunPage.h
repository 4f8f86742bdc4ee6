#pragma once
// defines: RunPage

#include <QWidget>

#include "engine/train/run.h"
#include "gui/app/EngineClient.h"
#include "gui/app/Theme.h"

class QFrame;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QToolButton;

namespace mantissa {

class AppSettings;
class ElideLabel;
class LogView;
class PicturePane;
class PlotLink;
class PlotWidget;
class RunData;
class SampleModel;

/// The page of a run: loss, gradient norm and loss scale over one step axis, the log, the newest
/// sample, progress while preparing, and what went wrong when it failed.
class RunPage : public QWidget {
  Q_OBJECT

 public:
  RunPage(RunData* data, SampleModel* samples, AppSettings* settings, const Theme* theme,
          QWidget* parent = nullptr);

  /// New steps came in.
  void on_frame();
  /// Figures beside the plots; four times a second at most.
  void on_labels();
  void on_state(RunState shown);
  void show_progress(const QString& phase, qint64 done, qint64 total);
  void show_failure(const RunEnd& end, const QString& last_saved, qint64 last_saved_step);
  void hide_failure();
  void begin();

  PlotLink* link() const { return link_; }
  PlotWidget* loss_plot() const { return loss_; }
  PlotWidget* grad_plot() const { return grad_; }
  PlotWidget* scale_plot() const { return scale_; }
  LogView* log() const { return log_; }
  QFrame* failure_card() const { return failure_; }
  QSlider* smoothing() const { return smoothing_; }
  /// All that a helper needs to see what went wrong.
  QString failure_report() const;

 signals:
  void resume_requested(const QString& checkpoint);
  void export_failed(const QString& message);

 private:
  QWidget* build_tools();
  QWidget* build_side();
  void build_cards();
  void update_series();
  void set_smoothing(int position);
  void offer_export(PlotWidget* plot);

  RunData* data_;
  SampleModel* samples_;
  AppSettings* settings_;
  const Theme* theme_;
  PlotLink* link_;
  PlotWidget *loss_ = nullptr, *grad_ = nullptr, *scale_ = nullptr;
  LogView* log_ = nullptr;
  QSlider* smoothing_ = nullptr;
  QLabel* smoothing_text_ = nullptr;
  QToolButton *log_y_ = nullptr, *clip_ = nullptr, *fit_ = nullptr;
  QFrame *failure_ = nullptr, *phases_ = nullptr;
  QLabel *failure_title_ = nullptr, *failure_text_ = nullptr, *phase_ = nullptr;
  ElideLabel* failure_saved_ = nullptr;
  QPushButton *resume_ = nullptr, *copy_ = nullptr;
  QProgressBar* phase_bar_ = nullptr;
  QLabel* figures_[6] = {};
  PicturePane* picture_ = nullptr;
  QLabel* picture_caption_ = nullptr;
  RunEnd end_;
  QString last_saved_;
  std::uint64_t markers_seen_ = 0;
};

}  // namespace mantissa
