#pragma once

#include <QWidget>
#include <functional>
#include <vector>

class QUndoStack;

namespace mantissa::gui {

/// A page of the window: the interface of all pages.
class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// Whether it is still loading.
  virtual bool is_loading() const { return false; }
  /// The target of Undo and Redo while it is shown; null: the preset.
  virtual QUndoStack* undo_stack() { return nullptr; }
  /// It was selected, possibly while already shown.
  virtual void brought_up() {}

  /// Another view of the page, with its own screenshot.
  struct Look {
    QString id;                  ///< of the screenshot
    std::function<bool()> show;  ///< false if there is nothing to show
  };
  virtual std::vector<Look> looks() { return {}; }

 signals:
  /// For the message bar.
  void news(const QString& text);
  void problem(const QString& text);
};

}  // namespace mantissa::gui
