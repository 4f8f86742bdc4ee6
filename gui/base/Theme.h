#pragma once

#include <QObject>
#include <QString>

#include "gui/base/ThemeColors.h"

class QApplication;
class QWidget;

namespace mantissa::gui {

enum class ThemeMode { system, light, dark };

/// Distances in logical pixels; every layout uses these and no others.
struct Space {
  static constexpr int tiny = 4;
  static constexpr int small = 8;
  static constexpr int medium = 12;
  static constexpr int large = 16;
  static constexpr int huge = 24;
};

/// Light and dark themes: a palette, a base style and a short style sheet.
class Theme : public QObject {
  Q_OBJECT

 public:
  explicit Theme(QObject* parent = nullptr);

  ThemeMode mode() const { return mode_; }
  const ThemeColors& colors() const { return colors_; }
  bool dark() const { return colors_.dark; }

  /// Styles the application; `system` follows what the system asked for at the start.
  void apply(QApplication& app, ThemeMode mode);

  static const ThemeColors& light_colors();
  static const ThemeColors& dark_colors();

 signals:
  void changed();

 private:
  ThemeMode mode_ = ThemeMode::system;
  ThemeColors colors_;
  bool system_dark_ = false;
  bool started_ = false;
};

/// Contrast ratio of two colours by WCAG 2.1 (1 to 21).
double contrast_ratio(const QColor& a, const QColor& b);

}  // namespace mantissa::gui
