#include "gui/base/StudioStyle.h"

#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QStyleOption>
#include <QTableView>
#include <algorithm>

namespace mantissa::gui {
namespace {

constexpr int kComboLeft = 7, kComboRight = 24;  // beside the text of a combo box

}  // namespace

StudioStyle::StudioStyle(const ThemeColors& colors)
    : QProxyStyle(QStringLiteral("fusion")), colors_(colors) {}

void StudioStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  // One stop of Tab, which would else never leave a table; arrow keys move between cells.
  if (auto* table = qobject_cast<QTableView*>(widget)) {
    table->setTabKeyNavigation(false);
  }
}

void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                QPainter* painter, const QWidget* widget) const {
  if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck) {
    const bool enabled = option->state & State_Enabled;
    const bool on = option->state & State_On;
    const QRectF box = QRectF(option->rect).adjusted(1, 1, -1, -1);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor edge = option->state & State_HasFocus ? colors_.accent : colors_.strong_border;
    QColor inside = on ? colors_.accent : colors_.surface;
    if (!enabled) {
      edge = colors_.border;
      inside = on ? colors_.border : colors_.window;
    }
    painter->setPen(QPen(on && enabled ? colors_.accent : edge, 1.2));
    painter->setBrush(inside);
    painter->drawRoundedRect(box, 3.5, 3.5);
    if (on) {
      QPainterPath tick;
      tick.moveTo(box.left() + box.width() * 0.22, box.top() + box.height() * 0.53);
      tick.lineTo(box.left() + box.width() * 0.43, box.top() + box.height() * 0.73);
      tick.lineTo(box.left() + box.width() * 0.79, box.top() + box.height() * 0.30);
      painter->setPen(QPen(enabled ? colors_.on_accent : colors_.muted, 1.8, Qt::SolidLine,
                           Qt::RoundCap, Qt::RoundJoin));
      painter->setBrush(Qt::NoBrush);
      painter->drawPath(tick);
    }
    painter->restore();
    return;
  }
  if (element == PE_IndicatorRadioButton) {
    const bool on = option->state & State_On;
    const QRectF box = QRectF(option->rect).adjusted(1, 1, -1, -1);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool lit = on || (option->state & State_HasFocus);
    painter->setPen(QPen(lit ? colors_.accent : colors_.strong_border, 1.2));
    painter->setBrush(colors_.surface);
    painter->drawEllipse(box);
    if (on) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(colors_.accent);
      painter->drawEllipse(box.center(), box.width() * 0.28, box.width() * 0.28);
    }
    painter->restore();
    return;
  }
  if (element == PE_FrameFocusRect && qobject_cast<const QPushButton*>(widget) != nullptr) {
    return;  // its border shows the focus
  }
  if (element == PE_FrameFocusRect) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colors_.accent, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter->restore();
    return;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void StudioStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const {
  if (control == CC_ComboBox) {
    const bool enabled = option->state & State_Enabled;
    const bool focus = option->state & (State_HasFocus | State_On);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(!enabled                          ? colors_.border
                         : focus                           ? colors_.accent
                         : option->state & State_MouseOver ? colors_.muted
                                                           : colors_.strong_border,
                         1));
    painter->setBrush(enabled ? colors_.surface : colors_.window);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    const QPointF centre(option->direction == Qt::RightToLeft ? option->rect.left() + 12.5
                                                              : option->rect.right() - 11.5,
                         option->rect.center().y() + 0.5);
    painter->setPen(QPen(enabled ? colors_.muted : colors_.border, 1.5, Qt::SolidLine, Qt::RoundCap,
                         Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    const QPointF chevron[] = {centre + QPointF(-3.5, -1.5), centre + QPointF(0, 2),
                               centre + QPointF(3.5, -1.5)};
    painter->drawPolyline(chevron, 3);
    painter->restore();
    return;
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect StudioStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                  SubControl part, const QWidget* widget) const {
  if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
    return visualRect(option->direction, option->rect,
                      option->rect.adjusted(kComboLeft, 2, -kComboRight, -2));
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize StudioStyle::sizeFromContents(ContentsType type, const QStyleOption* option,
                                    const QSize& size, const QWidget* widget) const {
  QSize out = QProxyStyle::sizeFromContents(type, option, size, widget);
  if (type == CT_ComboBox) {
    // As wide as the text and the arrow of drawComplexControl, as high as adjacent line edits.
    out = out.expandedTo({size.width() + kComboLeft + kComboRight + 2, 28});
  }
  return out;
}

int StudioStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                             const QWidget* widget) const {
  switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
      return 17;
    case PM_ScrollBarExtent:
      return 10;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
      return 16;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* data) const {
  switch (hint) {
    case SH_ComboBox_Popup:
      return 0;
    case SH_ToolTip_WakeUpDelay:
      return 400;
    case SH_ItemView_ActivateItemOnSingleClick:
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, data);
  }
}

}  // namespace mantissa::gui
