#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Passes the engine's reports of a run to the widgets that show them: curves, markers, samples,
/// the log, the cards of the Train page.
class RunFeed : public QObject {
  Q_OBJECT

 public:
  explicit RunFeed(const WindowFrame& frame);

 private:
  const WindowFrame& f_;
};

}  // namespace mantissa::gui
