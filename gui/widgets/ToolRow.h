#pragma once

#include <QScrollArea>

namespace mantissa::gui {

/// One row of controls, which scrolls sideways where there is no room for all of them. A control
/// that gets the focus is scrolled into view.
class ToolRow : public QScrollArea {
  Q_OBJECT

 public:
  explicit ToolRow(QWidget* row, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  static constexpr int kLeastWidth = 160;
  /// As high as the row, and its scroll bar if it has one.
  void fit();
};

}  // namespace mantissa::gui
