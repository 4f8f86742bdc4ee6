#pragma once

#include <QWidget>

#include "gui/base/Icons.h"
#include "gui/base/Theme.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace mantissa::gui {

/// The placeholder of an empty page: an icon, what would be here, and how to get it.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  EmptyState(Icon icon, const QString& text, const Theme* theme, QWidget* parent = nullptr);
  void set_text(const QString& text);
  QString text() const;
  /// A button below the words, beside the others. The first one is the page's next step.
  QPushButton* add_button(const QString& text, const QString& accessible_name = {});
  /// Draws the place to drop files on.
  void set_drop_zone(bool on);
  /// Files are dragged over it.
  void set_dragging(bool on);
  bool is_dragging() const { return dragging_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  bool drop_zone_ = false, dragging_ = false, has_button_ = false;
  QLabel* words_;
  QVBoxLayout* column_;
  QHBoxLayout* buttons_;
};

}  // namespace mantissa::gui
