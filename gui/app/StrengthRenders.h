#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

class RunStatus;

/// Renders a prompt of the run shown again, with its adapter at another strength.
class StrengthRenders : public QObject {
  Q_OBJECT

 public:
  StrengthRenders(const WindowFrame& frame, const RunStatus* status);

 private:
  /// Why nothing can be rendered now; empty where it can.
  QString refusal() const;
  void update();
  void render(int prompt, double weight);

  const WindowFrame& f_;
  const RunStatus* status_;
  int prompt_ = 0;
};

}  // namespace mantissa::gui
