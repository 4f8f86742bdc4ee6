#pragma once

#include <QWidget>
#include <functional>
#include <vector>

class QUndoStack;

namespace mantissa::gui {

/// A page of the window: what the window asks of every page, whichever it is.
class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// It still waits for something that it reads.
  virtual bool is_loading() const { return false; }
  /// What Undo and Redo act on while it is shown; null: the preset.
  virtual QUndoStack* undo_stack() { return nullptr; }
  /// It has just been chosen, also while it was shown already.
  virtual void brought_up() {}

  /// Another look of the page, worth a screenshot of its own.
  struct Look {
    QString id;                  ///< of the screenshot
    std::function<bool()> show;  ///< false where there is nothing to show
  };
  virtual std::vector<Look> looks() { return {}; }

 signals:
  /// For the message bar.
  void news(const QString& text);
  void problem(const QString& text);
};

}  // namespace mantissa::gui
