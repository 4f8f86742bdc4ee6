#pragma once

#include <functional>

#include "gui/widgets/QuestionSheet.h"

namespace mantissa::gui {

/// What becomes of the runs in progress when the window is closed: they are saved and stopped, or a
/// single one continues in a process of its own.
enum class Closing { stop, apart };

/// Asks what becomes of the runs in progress when the window is closed.
class CloseSheet : public QuestionSheet {
  Q_OBJECT

 public:
  CloseSheet(const QString& text, bool may_go_on, std::function<void(Closing)> chosen,
             QWidget* parent);
  QPushButton* button(Closing how) const { return how == Closing::stop ? stop_ : apart_; }
  QPushButton* keep() const { return keep_; }

 private:
  QPushButton *apart_, *stop_, *keep_;
};

}  // namespace mantissa::gui
