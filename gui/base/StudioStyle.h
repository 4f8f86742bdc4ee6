#pragma once

#include <QProxyStyle>

#include "gui/base/ThemeColors.h"

namespace mantissa::gui {

/// Fusion with our own combo boxes, check boxes and focus frames: the controls that a style sheet
/// can't draw crisply at every scale without image files.
class StudioStyle : public QProxyStyle {
  Q_OBJECT

 public:
  explicit StudioStyle(const ThemeColors& colors);

  using QProxyStyle::polish;
  void polish(QWidget* widget) override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                          QPainter* painter, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override;

 private:
  ThemeColors colors_;
};

}  // namespace mantissa::gui
