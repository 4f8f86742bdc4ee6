#pragma once

#include <QImage>
#include <QWidget>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/plot/Axis.h"
#include "gui/plot/CurveRaster.h"
#include "gui/plot/PlotLink.h"
#include "gui/plot/SeriesStore.h"
#include "gui/plot/StepClock.h"

namespace mantissa::gui {

/// One line. The stores and the clock must outlive the widget.
struct PlotSeries {
  QString name;
  int color = 0;  ///< index into ThemeColors::series
  const SeriesStore* raw = nullptr;
  SmoothedSeries* smoothed = nullptr;  ///< drawn over the faded raw line when set and β > 0
  bool dashed = false;                 ///< a bound rather than a measurement
  bool stepped = false;                ///< keeps its value until the next point
  const StepClock* clock = nullptr;    ///< of its run, for an axis in time
};

/// Something that happened at a step. The kind determines shape and colour; the shape alone
/// distinguishes the kinds.
struct PlotMarker {
  /// nan: its mark comes from the series itself; overflow and skipped: the optimizer took no step.
  enum class Kind { skipped, saved, sample, clipped, overflow, nan, paused };
  std::int64_t step = 0;
  Kind kind = Kind::saved;
  QString text;
  QString path{};  ///< of what was saved
};

/// What a kind of marker means and what to do about it, a line each.
QString marker_explanation(PlotMarker::Kind kind);

/// The files that a plot is saved as: its image, its lines and texts, its values.
enum class PlotFormat { png, svg, csv };

/// Time series over steps or training time: min/max columns where data is dense, a line where it is
/// sparse, gaps and markers for NaN. Repaints only on refresh() or user actions.
class PlotWidget : public QWidget {
  Q_OBJECT

 public:
  PlotWidget(const QString& title, PlotLink* link, const Theme* theme, QWidget* parent = nullptr);

  void set_series(std::vector<PlotSeries> series);
  const std::vector<PlotSeries>& series() const { return series_; }
  void set_markers(std::vector<PlotMarker> markers);
  const std::vector<PlotMarker>& markers() const { return markers_; }
  const QString& title() const { return title_; }
  PlotLink* link() const { return link_; }

  /// What it shows, what good looks like and what to do, a line each: the tool tip of its title.
  void set_explanation(const QString& lines) { explanation_ = lines; }
  const QString& explanation() const { return explanation_; }

  void set_log_y(bool on);
  bool log_y() const { return log_y_; }
  /// Fits the y axis to all but the farthest 2 % of the columns; lines leaving the view are marked
  /// with a triangle at the edge.
  void set_clip_outliers(bool on);
  bool clip_outliers() const { return clip_outliers_; }
  void set_empty_text(const QString& text);
  /// Only the lowest of stacked plots needs step labels.
  void set_step_labels(bool on);

  /// New data arrived: repaints if the widget is visible.
  void refresh();
  void reset_view();
  /// Moves the crosshair to the next (1) or previous (-1) marker, and the view if necessary.
  void step_to_marker(int direction);

  /// Whether every series has a clock, so that the axis can be in time.
  bool has_time() const;
  /// Draws it without crosshair and focus for a printer or a file, its curves as lines.
  void paint_vector(QPainter& painter);

  /// Where the curves are, inside header and labels; in whole pixels.
  const QRectF& plot_area() const { return area_; }
  /// The visible range of y, as painted last.
  double y_low() const { return y_low_; }
  double y_high() const { return y_high_; }
  /// Time that the last paint took, in nanoseconds.
  std::int64_t last_paint_ns() const { return last_paint_ns_; }

  QSize sizeHint() const override { return {560, 180}; }
  QSize minimumSizeHint() const override { return {220, 96}; }

 signals:
  void export_requested(PlotFormat format);
  /// A marker was clicked, or Enter pressed with the crosshair on one.
  void marker_activated(const PlotMarker& marker);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  enum class Drag { none, pan, box };
  static constexpr double kFarShare = 1e4;  ///< of the height; anything beyond is invisible anyway

  bool by_time() const { return link_->by_time() && has_time(); }
  /// A step's place on the axis, and the first step from a place on.
  double x_of(const PlotSeries& s, std::int64_t step) const;
  std::int64_t first_from(const PlotSeries& s, double x) const;
  /// x of a marker or the crosshair, which belong to the first series' run.
  double x_of(std::int64_t step) const;
  /// The value of a series that the crosshair shows: at its step, or at its time.
  std::size_t index_at_hover(const PlotSeries& s) const;
  void columns_of(const PlotSeries& s, const SeriesStore& store, int count,
                  std::vector<Extent>& out) const;
  std::vector<Tick> x_ticks() const;
  std::vector<Tick> y_ticks() const;
  double x_to_pixel(double x) const;
  double pixel_to_x(double pixel) const;
  double y_to_pixel(double value) const;
  double pixel_to_y(double pixel) const;
  void gather(int device_width);
  void fit_y();
  void paint_curves(double scale);
  /// What of a series is in view, with a neighbour to each side, in pixels of the plot's area times
  /// `scale`: connected pieces between NaN.
  void trace(const PlotSeries& s, const SeriesStore& store, double scale,
             const std::function<void(std::span<const QPointF>)>& piece);
  void paint_one(CurveRaster& raster, const PlotSeries& s, const SeriesStore& store,
                 const std::vector<Extent>& columns, bool dense, double width, QColor color,
                 double scale);
  /// A dense curve as one line from the highest to the lowest value of each column.
  std::span<const QPointF> zigzag(const std::vector<Extent>& columns);
  void paint_grid(QPainter& painter) const;
  void paint_axes(QPainter& painter) const;
  void paint_marks(QPainter& painter) const;
  void paint_header(QPainter& painter) const;
  void paint_hover(QPainter& painter) const;
  QColor color_of(const PlotSeries& s) const;
  /// Colour of its unsmoothed line, faded beneath a smoothed one.
  QColor raw_color(const PlotSeries& s) const;
  bool smoothing(const PlotSeries& s) const { return s.smoothed && s.smoothed->beta() > 0; }
  void zoom_x(double factor, double around);
  void zoom_y(double factor, double around);
  const PlotMarker* marker_at(QPointF position) const;
  const PlotMarker* marker_at_hover() const;
  /// Explains the marker or the title there; empty elsewhere, where a tip would hide the curves.
  QString tip_at(QPointF position) const;

  void update_area();

  QString title_, empty_text_, explanation_;
  PlotLink* link_;
  const Theme* theme_;
  std::vector<PlotSeries> series_;
  std::vector<PlotMarker> markers_;
  bool log_y_ = false, clip_outliers_ = false, step_labels_ = true;
  std::optional<std::pair<double, double>> manual_y_;

  // Results of the last gather, per series and device pixel column.
  struct Gathered {
    std::vector<Extent> raw, smooth;
    bool dense = false;
  };
  std::vector<Gathered> gathered_;
  double y_low_ = 0, y_high_ = 1;
  QImage image_;
  // Where markers were painted last, for the mouse.
  mutable std::vector<std::pair<QPointF, std::size_t>> painted_markers_;
  QRectF area_;
  std::vector<QPointF> points_;
  std::vector<CurveRaster::Span> spans_;
  std::int64_t last_paint_ns_ = 0;

  Drag drag_ = Drag::none;
  QPointF press_, current_;
  double press_from_ = 0, press_to_ = 0, press_low_ = 0, press_high_ = 0;
};

}  // namespace mantissa::gui
