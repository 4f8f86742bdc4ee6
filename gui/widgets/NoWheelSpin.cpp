#include "gui/widgets/NoWheelSpin.h"

#include <QLineEdit>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>
#include <algorithm>

#include "gui/widgets/NumberText.h"

namespace mantissa::gui {

NoWheelSpin::NoWheelSpin(std::int64_t min, std::int64_t max, QWidget* parent)
    : QAbstractSpinBox(parent), min_(min), max_(max) {
  setFocusPolicy(Qt::StrongFocus);
  setButtonSymbols(QAbstractSpinBox::NoButtons);
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] { emit edited(true); });
}

std::optional<std::int64_t> NoWheelSpin::value() const {
  return read_whole_number(text());
}

void NoWheelSpin::set_value(std::int64_t value) {
  if (this->value() != value) {
    lineEdit()->setText(QString::number(static_cast<qlonglong>(value)));
  }
}

void NoWheelSpin::stepBy(int steps) {
  const std::int64_t now = value().value_or(min_);
  const std::int64_t next = steps > 0 ? (now > max_ - steps ? max_ : std::max(now + steps, min_))
                                      : (now < min_ - steps ? min_ : std::min(now + steps, max_));
  if (next != now || !value()) {
    lineEdit()->setText(QString::number(static_cast<qlonglong>(next)));
    emit edited(true);
  }
}

QValidator::State NoWheelSpin::validate(QString&, int&) const {
  return QValidator::Acceptable;
}

QAbstractSpinBox::StepEnabled NoWheelSpin::stepEnabled() const {
  const std::int64_t now = value().value_or(min_);
  StepEnabled out = StepNone;
  out |= now < max_ ? StepUpEnabled : StepNone;
  out |= now > min_ ? StepDownEnabled : StepNone;
  return out;
}

void NoWheelSpin::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) {
    QAbstractSpinBox::wheelEvent(event);
  } else {
    event->ignore();
  }
}

NoWheelCombo::NoWheelCombo(QWidget* parent) : QComboBox(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(8);
}

QString NoWheelCombo::drawn_text() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect field =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + 4;
  const QString text = currentIndex() < 0 ? placeholderText() : option.currentText;
  return fontMetrics().elidedText(text, Qt::ElideMiddle, field.width() - 2 - icon);
}

void NoWheelCombo::paintEvent(QPaintEvent* event) {
  if (isEditable()) {
    QComboBox::paintEvent(event);
    return;
  }
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  if (currentIndex() < 0) {
    option.palette.setBrush(QPalette::ButtonText, option.palette.placeholderText());
  }
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  option.currentText = drawn_text();
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void NoWheelCombo::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) {
    QComboBox::wheelEvent(event);
  } else {
    event->ignore();
  }
}

}  // namespace mantissa::gui
