#pragma once

#include <QObject>
#include <cstdint>
#include <optional>

namespace mantissa::gui {

/// The horizontal axis and the crosshair shared by the plots of one page. The axis counts steps, or
/// the seconds of training (StepClock).
class PlotLink : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  double from() const { return from_; }
  double to() const { return to_; }
  bool by_time() const { return by_time_; }
  /// Shows all of the run; its range is to be set again.
  void set_by_time(bool on);
  /// Following: the view covers the whole run and grows with it.
  bool following() const { return following_; }
  std::optional<std::int64_t> hover() const { return hover_; }

  /// First and last step. Changes the view only while following.
  void set_data_range(std::int64_t first, std::int64_t last);
  /// With the axis in seconds: from 0 to `last`, where a step takes `per_step` of them.
  void set_time_range(double last, double per_step);
  /// The user's zoom or pan; stops following. At least `kMinSpan` steps are kept in view.
  void set_view(double from, double to);
  void reset();
  void set_hover(std::optional<std::int64_t> step);

  static constexpr double kMinSpan = 4;

 signals:
  void axis_changed();
  void view_changed();
  void hover_changed();

 private:
  void set_range(double first, double last, double step);
  void follow();

  double from_ = 0, to_ = 100;
  double first_ = 0, last_ = 0;
  double step_ = 1;  ///< length of one on the axis
  bool by_time_ = false, following_ = true;
  std::optional<std::int64_t> hover_;
};

}  // namespace mantissa::gui
