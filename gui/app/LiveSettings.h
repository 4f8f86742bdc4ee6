#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

class PresetFiles;

/// Settings of the draft that can be applied to the run in progress: their rows are marked, and
/// Apply changes sends them.
class LiveSettings : public QObject {
  Q_OBJECT

 public:
  LiveSettings(const WindowFrame& frame, PresetFiles* files);

 private:
  void update();
  void apply();
  /// The run's length by its settings as they are now.
  void take_length(const Preset& running);

  const WindowFrame& f_;
  PresetFiles* files_;
};

}  // namespace mantissa::gui
