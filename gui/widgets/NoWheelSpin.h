#pragma once

#include <QAbstractSpinBox>
#include <QComboBox>
#include <cstdint>
#include <optional>

namespace mantissa::gui {

/// 64-bit integers. The wheel scrolls the page unless the field has the focus. Any text may be
/// typed; listeners validate it and report problems, so keys never seem dead.
class NoWheelSpin : public QAbstractSpinBox {
  Q_OBJECT

 public:
  NoWheelSpin(std::int64_t min, std::int64_t max, QWidget* parent = nullptr);

  /// Empty if the text is not an integer.
  std::optional<std::int64_t> value() const;
  /// Keeps the text if it already equals `value`.
  void set_value(std::int64_t value);
  QString text_now() const { return text(); }

  void stepBy(int steps) override;
  QValidator::State validate(QString& input, int& pos) const override;

 signals:
  /// The user typed (`typing`) or stepped.
  void edited(bool typing);

 protected:
  StepEnabled stepEnabled() const override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  std::int64_t min_, max_;
};

/// A combo box that the wheel changes only while it has the focus. A choice that doesn't fit loses
/// its middle: "Text encoder 1" and "Text encoder 2" stay apart.
class NoWheelCombo : public QComboBox {
  Q_OBJECT

 public:
  explicit NoWheelCombo(QWidget* parent = nullptr);
  /// The current choice as it is drawn.
  QString drawn_text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
};

}  // namespace mantissa::gui
