#include "gui/precision/HeatMap.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

namespace mantissa::gui {
namespace {

QColor mix(const QColor& a, const QColor& b, double t) {
  return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * t),
                          static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * t),
                          static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * t));
}

}  // namespace

QColor heat_color(double badness, bool dark) {
  static const std::array<QColor, 5> light{QColor(0xe8eef3), QColor(0xf5d98b), QColor(0xe69a2e),
                                           QColor(0xb8480f), QColor(0x5a1a08)};
  static const std::array<QColor, 5> night{QColor(0x2a3038), QColor(0x6b3a1a), QColor(0xb8591c),
                                           QColor(0xf0a03c), QColor(0xfff0b0)};
  const auto& ramp = dark ? night : light;
  const double at = std::clamp(badness, 0.0, 1.0) * (ramp.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  return mix(ramp[i], ramp[i + 1], at - static_cast<double>(i));
}

HeatMap::HeatMap(const Theme* theme, QWidget* parent) : QAbstractScrollArea(parent), theme_(theme) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleDescription(tr("Arrow keys move between cells; the table shows the same values."));
  connect(theme_, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void HeatMap::set_empty_text(const QString& text) {
  empty_text_ = text;
  viewport()->update();
}

void HeatMap::set_cells(std::vector<QString> rows, std::vector<QString> columns,
                        std::vector<std::vector<HeatCell>> cells) {
  const QString row = row_ >= 0 ? rows_[static_cast<std::size_t>(row_)] : QString();
  const QString column = column_ >= 0 ? columns_[static_cast<std::size_t>(column_)] : QString();
  rows_ = std::move(rows);
  columns_ = std::move(columns);
  cells_ = std::move(cells);
  const auto find = [](const std::vector<QString>& in, const QString& text) {
    const auto it = std::find(in.begin(), in.end(), text);
    return it == in.end() || text.isEmpty() ? -1 : static_cast<int>(it - in.begin());
  };
  row_ = find(rows_, row);
  column_ = find(columns_, column);
  if (row_ < 0 || column_ < 0) {
    row_ = column_ = -1;
  }
  measure_labels();
  update_bars();
  viewport()->update();
}

/// Once for a set of cells; a run in progress brings the same layers again and again.
void HeatMap::measure_labels() {
  const QFontMetrics metrics(font());
  if (font() != measured_font_) {
    widths_.clear();
    measured_font_ = font();
  }
  QHash<QString, int> widths;
  widths.reserve(static_cast<qsizetype>(rows_.size()));
  widest_ = 0;
  for (const QString& text : rows_) {
    const auto known = widths_.constFind(text);
    int width = 0;
    if (known != widths_.constEnd()) {
      width = *known;
    } else {
      width = metrics.horizontalAdvance(text);
      ++measured_;
    }
    widths.insert(text, width);
    widest_ = std::max(widest_, width);
  }
  widths_ = std::move(widths);
}

int HeatMap::label_width() const {
  const int widest = std::max(widest_ + 10, 60);
  return std::min(widest, std::max(viewport()->width() * 2 / 5, 60));
}

std::pair<int, int> HeatMap::columns_in_view() const {
  const double width = column_width(), left = horizontalScrollBar()->value();
  const double room = viewport()->width() - label_width();
  // The cell on each edge may begin or end half a pixel outside.
  return {std::clamp(static_cast<int>((left - 1) / width), 0, columns()),
          std::clamp(static_cast<int>((left + room + 1) / width) + 1, 0, columns())};
}

double HeatMap::column_width() const {
  const double room = viewport()->width() - label_width();
  return std::clamp(room / std::max(columns(), 1), static_cast<double>(kMinColumn),
                    static_cast<double>(kMaxColumn));
}

void HeatMap::update_bars() {
  const int page = viewport()->height() - kHeader;
  verticalScrollBar()->setRange(0, std::max(rows() * kRow - page, 0));
  verticalScrollBar()->setPageStep(std::max(page, 1));
  verticalScrollBar()->setSingleStep(kRow);
  const int across = viewport()->width() - label_width();
  const int wide = static_cast<int>(std::ceil(column_width() * columns()));
  const bool at_end = horizontalScrollBar()->value() >= horizontalScrollBar()->maximum();
  horizontalScrollBar()->setRange(0, std::max(wide - across, 0));
  horizontalScrollBar()->setPageStep(std::max(across, 1));
  if (at_end) {
    horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
  }
}

QRect HeatMap::cell_rect(int row, int column) const {
  const double width = column_width();
  const double left = label_width() + column * width - horizontalScrollBar()->value();
  const int top = kHeader + row * kRow - verticalScrollBar()->value();
  return {static_cast<int>(std::lround(left)), top,
          static_cast<int>(std::lround(left + width)) - static_cast<int>(std::lround(left)), kRow};
}

std::pair<int, int> HeatMap::cell_at(QPoint at) const {
  if (at.y() < kHeader || at.x() < label_width()) {
    return {-1, -1};
  }
  const int row = (at.y() - kHeader + verticalScrollBar()->value()) / kRow;
  const int column =
      static_cast<int>((at.x() - label_width() + horizontalScrollBar()->value()) / column_width());
  return row < rows() && column < columns() ? std::pair(row, column) : std::pair(-1, -1);
}

void HeatMap::paintEvent(QPaintEvent*) {
  const ThemeColors& c = theme_->colors();
  QPainter p(viewport());
  p.fillRect(viewport()->rect(), c.surface);
  if (rows_.empty() || columns_.empty()) {
    p.setPen(c.muted);
    p.drawText(viewport()->rect().adjusted(20, 0, -20, 0), Qt::AlignCenter | Qt::TextWordWrap,
               empty_text_);
    return;
  }
  visited_ = 0;
  const int first = verticalScrollBar()->value() / kRow;
  const int last =
      std::min(rows(), (verticalScrollBar()->value() + viewport()->height()) / kRow + 1);
  paint_cells(p, first, last);
  paint_labels(p, first, last);
  if (hasFocus()) {
    p.setPen(QPen(c.accent, 1));
    p.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void HeatMap::paint_cells(QPainter& p, int first, int last) {
  const ThemeColors& c = theme_->colors();
  const int labels = label_width();
  const auto [left, right] = columns_in_view();
  p.save();
  p.setClipRect(QRect(labels, kHeader, viewport()->width() - labels, viewport()->height()));
  for (int row = first; row < last; ++row) {
    for (int column = left; column < right; ++column) {
      ++visited_;
      const QRect box = cell_rect(row, column).adjusted(0, 0, -1, -1);
      const HeatCell& cell =
          cells_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (!cell.present) {
        p.setPen(c.border);
        p.drawLine(box.center() - QPoint(2, 0), box.center() + QPoint(2, 0));
        continue;
      }
      p.fillRect(box, heat_color(cell.badness, c.dark));
      if (cell.non_finite) {
        p.setPen(QPen(c.dark ? Qt::black : Qt::white, 1.6));
        const QRect cross = QRect(0, 0, 7, 7).translated(box.center() - QPoint(3, 3));
        p.drawLine(cross.topLeft(), cross.bottomRight());
        p.drawLine(cross.bottomLeft(), cross.topRight());
      }
    }
  }
  if (row_ >= 0) {
    p.setPen(QPen(c.accent, 2));
    p.setBrush(Qt::NoBrush);
    p.drawRect(cell_rect(row_, column_).adjusted(0, 0, -1, -1));
  }
  p.restore();
}

void HeatMap::paint_labels(QPainter& p, int first, int last) {
  const ThemeColors& c = theme_->colors();
  const QFontMetrics metrics(font());
  const int labels = label_width();
  p.setClipRect(QRect(0, kHeader, labels, viewport()->height()));
  for (int row = first; row < last; ++row) {
    const QRect at(4, cell_rect(row, 0).top(), labels - 10, kRow);
    p.setPen(row == row_ ? c.text : c.muted);
    p.drawText(
        at, Qt::AlignVCenter | Qt::AlignLeft,
        metrics.elidedText(rows_[static_cast<std::size_t>(row)], Qt::ElideMiddle, at.width()));
  }
  p.setClipping(false);
  p.setPen(c.muted);
  for (const int column : labelled_columns()) {
    ++visited_;
    p.drawText(QPoint(cell_rect(0, column).left(), metrics.ascent() + 2),
               columns_[static_cast<std::size_t>(column)]);
  }
}

std::vector<int> HeatMap::labelled_columns() const {
  std::vector<int> out;
  const auto [left, right] = columns_in_view();
  if (left >= right) {
    return out;
  }
  const QFontMetrics metrics(font());
  // Steps grow, so the last one is the widest.
  const int wide = std::max(metrics.horizontalAdvance(columns_.front()),
                            metrics.horizontalAdvance(columns_.back()));
  const int every = std::max(1, static_cast<int>(std::ceil((wide + 8) / column_width())));
  for (int column = left / every * every; column < right; column += every) {
    const int at = cell_rect(0, column).left();
    if (at >= label_width() && at + wide <= viewport()->width()) {
      out.push_back(column);
    }
  }
  return out;
}

void HeatMap::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    measure_labels();
    update_bars();
  }
}

void HeatMap::resizeEvent(QResizeEvent*) {
  update_bars();
}

void HeatMap::set_current(int row, int column) {
  row = std::clamp(row, -1, rows() - 1);
  column = std::clamp(column, -1, columns() - 1);
  if (row < 0 || column < 0) {
    row = column = -1;
  }
  if (row == row_ && column == column_) {
    return;
  }
  row_ = row;
  column_ = column;
  show_current();
  viewport()->update();
  emit current_changed(row_, column_);
}

void HeatMap::show_current() {
  if (row_ < 0) {
    return;
  }
  const QRect cell = cell_rect(row_, column_);
  QScrollBar* down = verticalScrollBar();
  if (cell.top() < kHeader) {
    down->setValue(row_ * kRow);
  } else if (cell.bottom() > viewport()->height()) {
    down->setValue(down->value() + cell.bottom() - viewport()->height());
  }
  QScrollBar* across = horizontalScrollBar();
  if (cell.left() < label_width()) {
    across->setValue(across->value() - label_width() + cell.left());
  } else if (cell.right() > viewport()->width()) {
    across->setValue(across->value() + cell.right() - viewport()->width());
  }
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
  const auto [row, column] = cell_at(event->pos());
  if (row >= 0) {
    set_current(row, column);
  }
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
  const bool on_cell = cell_at(event->pos()).first >= 0;
  viewport()->setCursor(on_cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (on_cell && (event->buttons() & Qt::LeftButton)) {
    mousePressEvent(event);
  }
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
  const int row = std::max(row_, 0), column = column_ < 0 ? columns() - 1 : column_;
  const int page = std::max(verticalScrollBar()->pageStep() / kRow, 1);
  switch (event->key()) {
    case Qt::Key_Left:
      set_current(row, std::max(column - 1, 0));
      break;
    case Qt::Key_Right:
      set_current(row, column + 1);
      break;
    case Qt::Key_Up:
      set_current(std::max(row - (row_ < 0 ? 0 : 1), 0), column);
      break;
    case Qt::Key_Down:
      set_current(row_ < 0 ? 0 : row + 1, column);
      break;
    case Qt::Key_PageUp:
      set_current(std::max(row - page, 0), column);
      break;
    case Qt::Key_PageDown:
      set_current(row + page, column);
      break;
    case Qt::Key_Home:
      set_current(row, 0);
      break;
    case Qt::Key_End:
      set_current(row, columns() - 1);
      break;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

bool HeatMap::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int row = (help->pos().y() - kHeader + verticalScrollBar()->value()) / kRow;
    if (help->pos().y() >= kHeader && row < rows()) {
      QToolTip::showText(help->globalPos(), rows_[static_cast<std::size_t>(row)].toHtmlEscaped(),
                         viewport());
    }
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace mantissa::gui
