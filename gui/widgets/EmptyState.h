#pragma once

#include <QWidget>

#include "gui/base/Icons.h"
#include "gui/base/Theme.h"

class QLabel;
class QVBoxLayout;

namespace mantissa::gui {

/// The placeholder of an empty page: an icon, what would be here, and how to get it.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  EmptyState(Icon icon, const QString& text, const Theme* theme, QWidget* parent = nullptr);
  void set_text(const QString& text);
  QString text() const;
  /// A button below the words.
  void add_action(QWidget* button);

 private:
  QLabel* words_;
  QVBoxLayout* column_;
};

}  // namespace mantissa::gui
