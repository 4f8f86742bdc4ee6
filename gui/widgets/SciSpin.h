#pragma once

#include <QAbstractSpinBox>
#include <optional>

namespace mantissa::gui {

/// Shortest text that parses to exactly `value`: "1e-4", "0.9", "65536".
QString format_exact(double value);

/// Real numbers of any size. A step changes the leading digit, so 1e-4 goes to 2e-4 and 9e-5: the
/// same key works for learning rates and for shares. Wheel and typing behave as in NoWheelSpin.
class SciSpin : public QAbstractSpinBox {
  Q_OBJECT

 public:
  SciSpin(double min, double max, QWidget* parent = nullptr);

  /// Empty if the text is not a finite number.
  std::optional<double> value() const;
  void set_value(double value);
  QString text_now() const { return text(); }

  /// The next value above (steps > 0) or below, kept in the range.
  double stepped(double value, int steps) const;
  void stepBy(int steps) override;
  QValidator::State validate(QString& input, int& pos) const override;

 signals:
  void edited(bool typing);

 protected:
  StepEnabled stepEnabled() const override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  double min_, max_;
};

}  // namespace mantissa::gui
