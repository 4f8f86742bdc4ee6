#include "gui/widgets/SciSpin.h"

#include <QLineEdit>
#include <QLocale>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/widgets/NumberText.h"

namespace mantissa::gui {

QString format_exact(double value) {
  QString best = QString::number(value, 'g', QLocale::FloatingPointShortest);
  // "1e-04" -> "1e-4"
  const auto e = best.indexOf(QLatin1Char('e'));
  if (e >= 0) {
    return best.left(e + 1) + QString::number(best.mid(e + 1).toInt());
  }
  const double size = std::abs(value);
  if (size > 0 && size < 1e-2) {
    best = QLocale::c().toString(value, 'e', QLocale::FloatingPointShortest);
    const auto at = best.indexOf(QLatin1Char('e'));
    return best.left(at + 1) + QString::number(best.mid(at + 1).toInt());
  }
  return best;
}

SciSpin::SciSpin(double min, double max, QWidget* parent)
    : QAbstractSpinBox(parent), min_(min), max_(max) {
  setFocusPolicy(Qt::StrongFocus);
  setButtonSymbols(QAbstractSpinBox::NoButtons);
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] { emit edited(true); });
}

std::optional<double> SciSpin::value() const {
  return read_number(text());
}

void SciSpin::set_value(double value) {
  if (this->value() != value) {
    lineEdit()->setText(format_exact(value));
  }
}

double SciSpin::stepped(double value, int steps) const {
  for (int i = 0; i < std::abs(steps); ++i) {
    const bool up = steps > 0;
    if (value == 0) {
      const double unit = std::min(0.01, max_ > 0 ? max_ / 100 : 0.01);
      value = up ? unit : -unit;
    } else {
      const bool growing = (value > 0) == up;
      const double size = std::abs(value);
      const double exponent = std::floor(std::log10(size) + 1e-9);
      double unit = std::pow(10.0, exponent);
      // Going down from 1e-4 uses the digit below: 9e-5.
      if (!growing && size < unit * 1.0000001) {
        unit /= 10;
      }
      double digits = size / unit + (growing ? 1 : -1);
      digits = growing ? std::floor(digits + 1e-9) : std::ceil(digits - 1e-9);
      // Rounding through text avoids 0.30000000000000004.
      const QString text = QString::number(digits * unit, 'g', 12);
      value = std::copysign(text.toDouble(), value);
    }
    value = std::clamp(value, min_, max_);
  }
  return value;
}

void SciSpin::stepBy(int steps) {
  const double now = value().value_or(min_);
  const double next = stepped(now, steps);
  if (next != now || !value()) {
    lineEdit()->setText(format_exact(next));
    emit edited(true);
  }
}

QValidator::State SciSpin::validate(QString&, int&) const {
  return QValidator::Acceptable;
}

QAbstractSpinBox::StepEnabled SciSpin::stepEnabled() const {
  const double now = value().value_or(min_);
  StepEnabled out = StepNone;
  out |= now < max_ ? StepUpEnabled : StepNone;
  out |= now > min_ ? StepDownEnabled : StepNone;
  return out;
}

void SciSpin::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) {
    QAbstractSpinBox::wheelEvent(event);
  } else {
    event->ignore();
  }
}

}  // namespace mantissa::gui
