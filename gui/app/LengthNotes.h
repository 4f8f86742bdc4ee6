#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Says in the form how many steps the epochs make, and how many epochs the steps.
class LengthNotes : public QObject {
  Q_OBJECT

 public:
  explicit LengthNotes(const WindowFrame& frame);

 private:
  void update();

  const WindowFrame& f_;
};

}  // namespace mantissa::gui
