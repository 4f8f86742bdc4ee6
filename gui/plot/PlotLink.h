#pragma once

#include <QObject>
#include <cstdint>
#include <optional>

namespace mantissa::gui {

/// The step axis and the crosshair shared by the plots of one page.
class PlotLink : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  double from() const { return from_; }
  double to() const { return to_; }
  /// Following: the view covers the whole run and grows with it.
  bool following() const { return following_; }
  std::optional<std::int64_t> hover() const { return hover_; }

  /// First and last step. Changes the view only while following.
  void set_data_range(std::int64_t first, std::int64_t last);
  /// The user's zoom or pan; stops following. At least `kMinSpan` steps are kept in view.
  void set_view(double from, double to);
  void reset();
  void set_hover(std::optional<std::int64_t> step);

  static constexpr double kMinSpan = 4;

 signals:
  void view_changed();
  void hover_changed();

 private:
  void follow();

  double from_ = 0, to_ = 100;
  std::int64_t first_ = 0, last_ = 0;
  bool following_ = true;
  std::optional<std::int64_t> hover_;
};

}  // namespace mantissa::gui
