#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Settings that the run in progress takes over from the draft: their rows are marked, and Apply
/// changes hands them over.
class LiveSettings : public QObject {
  Q_OBJECT

 public:
  explicit LiveSettings(const WindowFrame& frame);

 private:
  void update();
  void apply();

  const WindowFrame& f_;
};

}  // namespace mantissa::gui
