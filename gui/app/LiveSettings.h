#pragma once

#include <QObject>
#include <QString>

#include "engine/preset/preset.h"
#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

class PresetFiles;

/// Settings of the draft that can be applied to the run in progress: their rows are marked, and
/// Apply changes sends those that were edited since the run began. A run of the queue may have been
/// started with other values than the draft's, which are no edits. Of a run that was found in
/// progress, every difference is one.
class LiveSettings : public QObject {
  Q_OBJECT

 public:
  LiveSettings(const WindowFrame& frame, PresetFiles* files);

 private:
  void update();
  void apply();
  /// The run's length by its settings as they are now.
  void take_length(const Preset& running);
  /// The run's settings with the edits.
  Preset edited() const;
  /// What Apply changes would do, a line for each setting.
  QString changes_text() const;

  const WindowFrame& f_;
  PresetFiles* files_;
  QString tip_;     ///< of Apply changes while there is nothing to apply
  Preset applied_;  ///< the draft as the run began, or as it was last applied
  bool going_ = false;
};

}  // namespace mantissa::gui
