#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

class QPainter;

namespace mantissa::gui {

enum class Icon {
  setup,
  data,
  train,
  samples,
  history,
  device,
  play,
  pause,
  stop,
  stop_save,
  save,
  sample,
  open,
  undo,
  redo,
  folder,
  add,
  remove,
  reset,
  help,
  search,
  check,
  error,
  warning,
  info,
  chevron_right,
  chevron_down,
  log_scale,
  clip,
  fit,
  copy,
  mask,
  brush,
  eraser,
  invert,
  tag,
  tools,
};

/// Strokes one icon into `rect`, 16 × 16 units, in one colour.
void paint_icon(QPainter& painter, Icon icon, const QRectF& rect, const QColor& color);

/// Drawn as vectors at the requested size and scale. `on` is the colour while checked; disabled
/// icons are faded.
QIcon make_icon(Icon icon, const QColor& color, const QColor& on = QColor());

/// The program's logo.
QIcon app_icon();

}  // namespace mantissa::gui
