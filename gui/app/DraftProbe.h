#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"
#include "gui/run/PhaseClock.h"

namespace mantissa::gui {

class DraftReview;

/// Probes the draft on the engine's thread for Setup's Probe view.
class DraftProbe : public QObject {
  Q_OBJECT

 public:
  DraftProbe(const WindowFrame& frame, const DraftReview* draft);

 private:
  void update();

  const WindowFrame& f_;
  const DraftReview* draft_;
  PhaseClock clock_;
};

}  // namespace mantissa::gui
