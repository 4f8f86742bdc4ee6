#pragma once

#include <QObject>

#include "engine/run/run.h"
#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Passes the engine's reports of a run to the widgets that show them: curves, markers, samples,
/// the log, the cards of the Train page.
class RunFeed : public QObject {
  Q_OBJECT

 public:
  explicit RunFeed(const WindowFrame& frame);

 private:
  /// A line of the log for what the engine reports otherwise.
  void note(const Message& line);

  const WindowFrame& f_;
};

}  // namespace mantissa::gui
