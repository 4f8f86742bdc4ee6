#pragma once
// defines: MessageBar

#include <QFrame>

#include "gui/app/Theme.h"

class QLabel;

namespace mantissa {

/// Errors and news in the window itself, as plain text, until dismissed.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  enum class Level { info, error };
  explicit MessageBar(const Theme* theme, QWidget* parent = nullptr);
  void show_message(Level level, const QString& text);
  QString text() const;

 private:
  void dress();

  const Theme* theme_;
  QLabel *icon_, *text_;
  Level level_ = Level::info;
};

}  // namespace mantissa
