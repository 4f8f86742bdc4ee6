#pragma once

#include <QFrame>
#include <QList>
#include <array>

#include "gui/base/Theme.h"
#include "gui/plot/PlotWidget.h"

class QLabel;
class QSlider;
class QToolButton;

namespace mantissa::gui {

class AppSettings;
class RunData;

enum class RunPlot { loss, grad_norm, loss_scale, learning_rate, lost_update, update_ratio };
constexpr std::size_t kRunPlots = 6;

/// The plots of a run, one below the other over one step axis with one crosshair, so that a drop of
/// the loss scale lines up with the loss spike. Remembers which are shown.
class PlotsPanel : public QFrame {
  Q_OBJECT

 public:
  PlotsPanel(RunData* data, AppSettings* settings, const Theme* theme, QWidget* parent = nullptr);

  PlotLink* link() const { return link_; }
  PlotWidget* plot(RunPlot which) const { return plots_[static_cast<std::size_t>(which)]; }
  QSlider* smoothing() const { return smoothing_; }
  /// Whether the user wants it; the loss scale is shown only of a run that has one.
  void set_shown(RunPlot which, bool on);
  bool is_shown(RunPlot which) const;

  /// New steps or markers arrived.
  void on_frame();
  /// Another run: shows all of it and follows.
  void begin();

 signals:
  /// The share of the average that a step keeps.
  void smoothing_changed(double beta);
  void export_failed(const QString& message);
  void marker_activated(const PlotMarker& marker);

 private:
  QWidget* build_tools();
  void make_series();
  void show_series(RunPlot which, std::vector<PlotSeries> series);
  void set_smoothing(int position);
  void offer_export(PlotWidget* plot);
  void update_step_labels();
  bool has_loss_scale() const;
  /// Shows the plots that are wanted and of use.
  void update_shown();

  RunData* data_;
  AppSettings* settings_;
  const Theme* theme_;
  PlotLink* link_;
  std::array<PlotWidget*, kRunPlots> plots_{};
  std::array<QAction*, kRunPlots> choices_{};
  std::array<bool, kRunPlots> wanted_{};  ///< by the user
  QSlider* smoothing_ = nullptr;
  QLabel* smoothing_text_ = nullptr;
  std::uint64_t markers_seen_ = 0;
  std::size_t rates_seen_ = 0;
  bool validation_seen_ = false, scale_seen_ = false;
};

}  // namespace mantissa::gui
