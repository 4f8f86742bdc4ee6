#pragma once

#include <QFrame>
#include <QTimer>
#include <functional>
#include <utility>
#include <vector>

#include "gui/base/Theme.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace mantissa::gui {

/// Errors and notices in the window itself, as plain text. Errors and offers stay until dismissed;
/// a notice goes with its page, or once it can be read. The bar floats over the page, whose size
/// stays as it is; `covers` tells how much of it is hidden.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  enum class Level { info, error };
  explicit MessageBar(const Theme* theme, QWidget* parent = nullptr);
  /// At the lower edge of `area`, a widget below this one's parent.
  void float_over(QWidget* area);
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
  /// An offer that is of use on the present page only.
  void offer_here(const QString& text, std::vector<Offer> offers);
  /// The page has changed.
  void leave_page();
  QString text() const;
  const std::vector<QPushButton*>& offers() const { return offers_; }

  /// Another way to tell whether the window is in use: its system may activate none.
  void set_in_sight(std::function<bool()> in_sight) { in_sight_ = std::move(in_sight); }

 signals:
  /// Pixels at the lower edge of the area; 0 once the message is dismissed.
  void covers(int height);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();
  void tell_covered();
  void dress();
  void clear_offers();
  /// Hides a notice that was long enough in sight: in a window in use; one under the pointer is
  /// being read.
  void go();

  const Theme* theme_;
  QWidget* area_ = nullptr;
  int covered_ = 0;
  QHBoxLayout* row_;
  QLabel *icon_, *text_;
  std::vector<QPushButton*> offers_;
  Level level_ = Level::info;
  bool of_page_ = false;  ///< goes with the page
  std::function<bool()> in_sight_;
  QTimer going_{this};
};

}  // namespace mantissa::gui
