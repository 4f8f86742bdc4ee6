#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "gui/base/Theme.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace mantissa::gui {

/// Errors and notices in the window itself, as plain text, until dismissed.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  enum class Level { info, error };
  explicit MessageBar(const Theme* theme, QWidget* parent = nullptr);
  void show_message(Level level, const QString& text);
  /// In the engine's words; they are shown as a sentence in the window's language.
  void show_error(const QString& text);
  void show_exception(const std::exception& e);
  void show_info(const QString& text) { show_message(Level::info, text); }
  /// An action offered with a message, with a button for it.
  struct Offer {
    QString name;
    std::function<void()> act;
  };
  void offer(const QString& text, std::vector<Offer> offers);
  QString text() const;
  const std::vector<QPushButton*>& offers() const { return offers_; }

 private:
  void dress();
  void clear_offers();

  const Theme* theme_;
  QHBoxLayout* row_;
  QLabel *icon_, *text_;
  std::vector<QPushButton*> offers_;
  Level level_ = Level::info;
};

}  // namespace mantissa::gui
