#include "gui/run/NewestLine.h"

#include <QPainter>
#include <QTextLayout>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kOneLine = 1100;  ///< pixels from which nearly every message fits into one line

}  // namespace

NewestLine::NewestLine(QWidget* parent) : QAbstractButton(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(tr("Newest line of the log; opens the log"));
  show_line(QString(), QString());
}

void NewestLine::show_line(const QString& line, const QString& whole) {
  line_ = shown(QString(line).replace(QLatin1Char('\n'), QLatin1Char(' ')));
  setAccessibleDescription(shown(whole));
  setToolTip(shown(whole).toHtmlEscaped());
  setEnabled(!line_.isEmpty());
  update();
}

int NewestLine::lines() const {
  return width() < kOneLine ? 2 : 1;
}

QSize NewestLine::sizeHint() const {
  return {kOneLine, minimumSizeHint().height()};
}

QSize NewestLine::minimumSizeHint() const {
  return {24, lines() * fontMetrics().lineSpacing()};
}

void NewestLine::resizeEvent(QResizeEvent* event) {
  QAbstractButton::resizeEvent(event);
  updateGeometry();
}

QStringList NewestLine::broken() const {
  QTextLayout layout(line_, font());
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  QStringList parts;
  for (QTextLine part = layout.createLine(); part.isValid(); part = layout.createLine()) {
    part.setLineWidth(width());
    if (parts.size() + 1 == lines()) {
      parts << fontMetrics().elidedText(line_.mid(part.textStart()), Qt::ElideRight, width());
      break;
    }
    parts << line_.mid(part.textStart(), part.textLength());
  }
  layout.endLayout();
  return parts;
}

bool NewestLine::is_whole() const {
  return broken().join(QString()) == line_;
}

void NewestLine::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const bool marked = hasFocus() || underMouse();
  p.setPen(palette().color(marked ? QPalette::WindowText : QPalette::PlaceholderText));
  int y = fontMetrics().ascent();
  for (const QString& part : broken()) {
    p.drawText(0, y, part);
    y += fontMetrics().lineSpacing();
  }
  if (hasFocus()) {
    p.setPen(palette().color(QPalette::Highlight));
    p.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

}  // namespace mantissa::gui
