#include "gui/samples/ImagePane.h"

#include <QImageReader>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kLargestZoom = 4;

}  // namespace

ImagePane::ImagePane(const QString& empty_text, QWidget* parent)
    : QWidget(parent), empty_text_(empty_text), text_(empty_text) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(empty_text);
}

void ImagePane::show_file(const QString& path) {
  QImage image;
  QString problem;
  if (!path.isEmpty()) {
    QImageReader reader(path);
    image = reader.read();
    problem = reader.errorString();
  }
  show_image(path, image, problem);
}

void ImagePane::show_image(const QString& path, const QImage& image, const QString& problem) {
  file_ = path;
  image_ = image;
  scaled_ = QImage();
  text_ = empty_text_;
  if (image_.isNull() && !path.isEmpty() && !problem.isEmpty()) {
    text_ = tr("%1 can't be read: %2").arg(shown(path), problem);
  }
  setAccessibleName(image_.isNull() ? text_ : tr("Sample image %1").arg(shown(path)));
  update();
}

void ImagePane::show_before(const QString& path, const QString& before_label,
                            const QString& after_label) {
  before_ = path.isEmpty() ? QImage() : QImageReader(path).read();
  before_scaled_ = QImage();
  before_label_ = before_label;
  after_label_ = after_label;
  setFocusPolicy(before_.isNull() ? Qt::NoFocus : Qt::StrongFocus);
  setAccessibleDescription(
      before_.isNull()
          ? QString()
          : tr("Split: %1 on the left, %2 on the right; the arrow keys move the line between them.")
                .arg(before_label, after_label));
  setCursor(before_.isNull() ? Qt::ArrowCursor : Qt::SplitHCursor);
  update();
}

void ImagePane::set_split(double share) {
  split_ = std::clamp(share, 0.0, 1.0);
  update();
}

void ImagePane::resizeEvent(QResizeEvent*) {
  scaled_ = QImage();
  before_scaled_ = QImage();
}

QRectF ImagePane::image_rect() const {
  const double ratio = devicePixelRatioF();
  QSize wanted = image_.size().scaled(size() * ratio, Qt::KeepAspectRatio);
  if (wanted.width() > kLargestZoom * image_.width()) {
    wanted = image_.size() * kLargestZoom;
  }
  const QSizeF shown = QSizeF(wanted) / ratio;
  return {QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2), shown};
}

const QImage& ImagePane::scaled_to(QSize wanted, const QImage& from, QImage& kept) const {
  if (kept.size() != wanted) {
    // Enlarged pixels stay sharp: a small sample is shown unsmoothed.
    const bool enlarged = wanted.width() >= 2 * from.width();
    kept = from.scaled(wanted, Qt::IgnoreAspectRatio,
                       enlarged ? Qt::FastTransformation : Qt::SmoothTransformation);
    kept.setDevicePixelRatio(devicePixelRatioF());
  }
  return kept;
}

void ImagePane::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (image_.isNull()) {
    p.setPen(palette().color(QPalette::PlaceholderText));
    p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text_);
    return;
  }
  const QRectF at = image_rect();
  const QSize wanted = (at.size() * devicePixelRatioF()).toSize();
  p.drawImage(at.topLeft(), scaled_to(wanted, image_, scaled_));
  if (!is_split()) {
    return;
  }
  const double line = at.left() + split_ * at.width();
  p.save();
  p.setClipRect(QRectF(at.topLeft(), QPointF(line, at.bottom())));
  p.drawImage(at.topLeft(), scaled_to(wanted, before_, before_scaled_));
  p.restore();
  p.setRenderHint(QPainter::Antialiasing);
  // White between dark edges is visible on every image.
  p.setPen(QPen(QColor(0, 0, 0, 150), 4));
  p.drawLine(QPointF(line, at.top()), QPointF(line, at.bottom()));
  p.setPen(QPen(hasFocus() ? palette().color(QPalette::Highlight) : QColor(Qt::white), 2));
  p.drawLine(QPointF(line, at.top()), QPointF(line, at.bottom()));
  p.setBrush(Qt::white);
  p.setPen(QPen(QColor(0, 0, 0, 150), 1));
  p.drawEllipse(QPointF(line, at.center().y()), 7, 7);
  const QFontMetrics metrics(font());
  const auto tag = [&](const QString& text, bool left) {
    const double wide = metrics.horizontalAdvance(text) + 12;
    const QRectF box(left ? at.left() + 6 : at.right() - 6 - wide, at.bottom() - 6 - 20, wide, 20);
    p.setPen(Qt::NoPen);
    p.setBrush(QColor(0, 0, 0, 170));
    p.drawRoundedRect(box, 4, 4);
    p.setPen(Qt::white);
    p.drawText(box, Qt::AlignCenter, text);
  };
  tag(before_label_, true);
  tag(after_label_, false);
}

void ImagePane::mousePressEvent(QMouseEvent* event) {
  mouseMoveEvent(event);
}

void ImagePane::mouseMoveEvent(QMouseEvent* event) {
  if (is_split() && (event->buttons() & Qt::LeftButton)) {
    const QRectF at = image_rect();
    set_split((event->position().x() - at.left()) / std::max(at.width(), 1.0));
  }
}

void ImagePane::keyPressEvent(QKeyEvent* event) {
  constexpr double kStep = 0.05;
  if (is_split() && event->key() == Qt::Key_Left) {
    set_split(split_ - kStep);
  } else if (is_split() && event->key() == Qt::Key_Right) {
    set_split(split_ + kStep);
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace mantissa::gui
