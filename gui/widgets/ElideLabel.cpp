#include "gui/widgets/ElideLabel.h"

#include <QPainter>

#include "gui/base/Text.h"

namespace mantissa::gui {

ElideLabel::ElideLabel(const QString& text, QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  set_text(text);
}

void ElideLabel::set_text(const QString& raw) {
  const QString text = shown(QString(raw).replace(QLatin1Char('\n'), QLatin1Char(' ')));
  if (text_ == text && !accessibleName().isEmpty()) {
    return;
  }
  text_ = text;
  setAccessibleName(text_.isEmpty() ? tr("Empty") : text_);
  setToolTip(text_.toHtmlEscaped());
  updateGeometry();
  update();
}

void ElideLabel::set_muted(bool muted) {
  muted_ = muted;
  update();
}

void ElideLabel::set_mode(Qt::TextElideMode mode) {
  mode_ = mode;
  update();
}

QSize ElideLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text_) + 2, fontMetrics().height()};
}

QSize ElideLabel::minimumSizeHint() const {
  return {24, fontMetrics().height()};
}

void ElideLabel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setPen(palette().color(muted_ ? QPalette::PlaceholderText : QPalette::WindowText));
  p.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
             fontMetrics().elidedText(text_, mode_, width()));
}

}  // namespace mantissa::gui
