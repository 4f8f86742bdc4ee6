#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Says in the form what values come to: steps of the epochs, epochs of the steps, and the scale
/// that alpha gives at the rank.
class LengthNotes : public QObject {
  Q_OBJECT

 public:
  explicit LengthNotes(const WindowFrame& frame);

 private:
  void update();

  const WindowFrame& f_;
};

}  // namespace mantissa::gui
