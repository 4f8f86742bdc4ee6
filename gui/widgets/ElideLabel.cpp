#include "gui/widgets/ElideLabel.h"

#include <QPainter>
#include <algorithm>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QString part_gap() {
  return QStringLiteral(" · ");
}

}  // namespace

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
  parts_.clear();
  setAccessibleName(text_.isEmpty() ? tr("Empty") : text_);
  setToolTip(text_.toHtmlEscaped());
  updateGeometry();
  update();
}

void ElideLabel::set_parts(const QStringList& parts) {
  set_text(parts.join(part_gap()));
  parts_ = parts;
}

void ElideLabel::set_longest(const QString& text) {
  if (longest_ != text) {
    longest_ = text;
    updateGeometry();
  }
}

QString ElideLabel::fitting() const {
  if (parts_.isEmpty()) {
    return fontMetrics().elidedText(text_, mode_, width());
  }
  for (qsizetype count = parts_.size(); count > 0; --count) {
    const QString some = parts_.first(count).join(part_gap()) +
                         (count < parts_.size() ? part_gap() + QStringLiteral("…") : QString());
    if (fontMetrics().horizontalAdvance(some) <= width()) {
      return some;
    }
  }
  return QStringLiteral("…");  // all of it is in the tooltip
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
  const QFontMetrics font = fontMetrics();
  return {std::max(font.horizontalAdvance(text_), font.horizontalAdvance(longest_)) + 2,
          font.height()};
}

QSize ElideLabel::minimumSizeHint() const {
  return {24, fontMetrics().height()};
}

void ElideLabel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setPen(palette().color(muted_ ? QPalette::PlaceholderText : QPalette::WindowText));
  p.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fitting());
}

}  // namespace mantissa::gui
