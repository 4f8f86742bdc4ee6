#pragma once

#include <QWidget>

class QBoxLayout;

namespace mantissa::gui {

/// Two groups of tools side by side, or one above the other where that would cut them.
class BreakRow : public QWidget {
  Q_OBJECT

 public:
  explicit BreakRow(QWidget* parent = nullptr);
  /// Takes ownership. The second one gets the room that is left.
  void set_halves(QWidget* first, QWidget* second);
  bool is_broken() const;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  QBoxLayout* row_;
  QWidget *first_ = nullptr, *second_ = nullptr;
};

}  // namespace mantissa::gui
