#include "gui/dataset/MaskPainting.h"

#include <QUndoCommand>
#include <algorithm>
#include <utility>

namespace mantissa::gui {

/// A part of the mask, before and after.
class MaskPainting::Edit : public QUndoCommand {
 public:
  Edit(MaskPainting* painting, const QPoint& place, QImage before, QImage after,
       const QString& name)
      : QUndoCommand(name),
        painting_(painting),
        place_(place),
        before_(std::move(before)),
        after_(std::move(after)) {}

  void undo() override { painting_->put(before_, place_); }
  void redo() override { painting_->put(after_, place_); }

 private:
  MaskPainting* painting_;
  QPoint place_;
  QImage before_, after_;
};

MaskPainting::MaskPainting(QObject* parent) : QObject(parent) {
  undo_.setUndoLimit(kUndoSteps);
}

void MaskPainting::open(const QImage& mask) {
  stroke_.reset();
  undo_.clear();
  mask_ = opened_ = mask;
  emit changed(mask_.rect());
}

void MaskPainting::begin(const MaskBrush& brush, const QPointF& at) {
  end();
  before_ = mask_;
  area_ = QRect();
  if (!brush.erases && is_blank(mask_)) {
    mask_.fill(0);
    area_ = mask_.rect();
  }
  name_ = brush.erases ? tr("erasing in the mask") : tr("painting the mask");
  stroke_.emplace(mask_.copy(), brush);
  last_ = at;
  area_ |= stroke_->paint(mask_, at, at);
  emit changed(area_);
}

void MaskPainting::go_on(const QPointF& to) {
  if (stroke_) {
    const QRect area = stroke_->paint(mask_, std::exchange(last_, to), to);
    area_ |= area;
    emit changed(area);
  }
}

void MaskPainting::end() {
  if (stroke_) {
    stroke_.reset();
    keep(std::exchange(before_, {}), area_, name_);
  }
}

void MaskPainting::invert() {
  end();
  const QImage before = mask_;
  mask_.invertPixels();
  keep(before, mask_.rect(), tr("inverting the mask"));
}

void MaskPainting::clear() {
  end();
  const QImage before = mask_;
  mask_.fill(255);
  keep(before, mask_.rect(), tr("clearing the mask"));
}

void MaskPainting::keep(const QImage& before, const QRect& area, const QString& name) {
  if (!area.isEmpty() && before != mask_) {
    undo_.push(new Edit(this, area.topLeft(), before.copy(area), mask_.copy(area), name));
  }
}

void MaskPainting::put(const QImage& part, const QPoint& place) {
  stroke_.reset();
  for (int y = 0; y < part.height(); ++y) {
    std::copy_n(part.constScanLine(y), part.width(), mask_.scanLine(place.y() + y) + place.x());
  }
  emit changed(QRect(place, part.size()));
}

}  // namespace mantissa::gui
