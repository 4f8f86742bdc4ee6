#pragma once

#include <QColor>
#include <array>

namespace mantissa::gui {

/// Colours by meaning. Text on its surface has a contrast of 4.5 or better in both themes.
struct ThemeColors {
  bool dark = false;
  QColor window;   ///< behind everything
  QColor surface;  ///< cards, fields, plots
  QColor raised;   ///< hovered, selected
  QColor border;
  QColor strong_border;  ///< around editable controls
  QColor text;
  QColor muted;
  QColor accent;
  QColor on_accent;
  QColor ok;
  QColor warning;
  QColor error;
  QColor error_surface;
  QColor grid;
  /// Okabe and Ito's palette ("Color Universal Design", 2008), shaded per theme for contrast.
  std::array<QColor, 6> series;
};

}  // namespace mantissa::gui
