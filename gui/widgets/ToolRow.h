#pragma once

#include <QScrollArea>
#include <vector>

class QToolButton;

namespace mantissa::gui {

/// One row of controls. Where there is no room for all texts beside its icons, the first ones that
/// fit are shown and the other icons stand alone, since tooltips have their names; what the row
/// says in an ElideLabel is cut only where there is no room beside the icons; where there is none
/// for these, it scrolls sideways, and a control that gets the focus is scrolled into view.
class ToolRow : public QScrollArea {
  Q_OBJECT

 public:
  static constexpr int kLeastWidth = 160;

  explicit ToolRow(QWidget* row, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Texts beside the icons, as many as fit.
  void choose_style();
  int needed_width() const;
  /// The width of what the row says, uncut.
  int said_width() const;
  /// As high as the row, and its scroll bar if it has one.
  void fit();

  std::vector<QToolButton*> labelled_;  ///< with a text beside their icon, where it fits
  int chosen_for_ = 0;                  ///< the width that the row needs in its present style
  int said_ = 0;                        ///< the width of what it says, uncut
};

}  // namespace mantissa::gui
