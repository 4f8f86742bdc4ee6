#pragma once

#include <QScrollArea>
#include <vector>

class QToolButton;

namespace mantissa::gui {

/// One row of controls. Where there is no room for the texts beside its icons, the icons stand
/// alone, since tooltips have the names; where there is none for these, it scrolls sideways, and
/// a control that gets the focus is scrolled into view.
class ToolRow : public QScrollArea {
  Q_OBJECT

 public:
  explicit ToolRow(QWidget* row, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  static constexpr int kLeastWidth = 160;
  void choose_style();
  /// As high as the row, and its scroll bar if it has one.
  void fit();

  std::vector<QToolButton*> labelled_;  ///< with a text beside their icon
};

}  // namespace mantissa::gui
