#pragma once

#include <QObject>

#include "engine/plan/job.h"
#include "gui/run/PhaseClock.h"

namespace mantissa::gui {

class DraftReview;
class EngineClient;
class PresetDocument;
class SetupPage;

/// Probes the draft on the engine's thread for Setup's Probe view, and tests learning rates for its
/// Rate view.
class DraftProbe : public QObject {
  Q_OBJECT

 public:
  DraftProbe(EngineClient* engine, const PresetDocument* document, SetupPage* setup,
             DraftReview* draft);

 private:
  /// The draft as it is probed: on one device.
  JobSpec job() const;
  void connect_probe();
  void connect_rates();
  void update();

  EngineClient* engine_;
  const PresetDocument* document_;
  SetupPage* setup_;
  DraftReview* draft_;
  PhaseClock clock_;
};

}  // namespace mantissa::gui
