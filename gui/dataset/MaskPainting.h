#pragma once

#include <QImage>
#include <QObject>
#include <QUndoStack>
#include <optional>

#include "gui/dataset/MaskImage.h"

namespace mantissa::gui {

/// A mask that is being painted, with undo. Of a blank mask everything counts: the first stroke of
/// the brush makes all but what it paints count for nothing; the eraser's leaves all the rest.
class MaskPainting : public QObject {
  Q_OBJECT

 public:
  static constexpr int kUndoSteps = 64;

  explicit MaskPainting(QObject* parent = nullptr);

  void open(const QImage& mask);
  const QImage& mask() const { return mask_; }
  /// Whether it differs from what was opened.
  bool is_changed() const { return mask_ != opened_; }

  /// A stroke; one step of undo.
  void begin(const MaskBrush& brush, const QPointF& at);
  void go_on(const QPointF& to);
  void end();
  bool is_painting() const { return stroke_.has_value(); }

  void invert();
  void clear();
  QUndoStack* undo_stack() { return &undo_; }

 signals:
  void changed(const QRect& area);

 private:
  class Edit;
  void put(const QImage& mask, const QPoint& place);
  /// Makes what changed since `before` a step.
  void keep(const QImage& before, const QRect& area, const QString& name);

  QImage mask_, opened_;
  std::optional<MaskStroke> stroke_;
  QImage before_;  ///< the stroke
  QPointF last_;
  QRect area_;
  QString name_;
  QUndoStack undo_;
};

}  // namespace mantissa::gui
