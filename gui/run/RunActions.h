#pragma once
// defines: RunActions

#include <QAction>
#include <QObject>

#include "engine/train/run.h"

namespace mantissa {

/// The commands of a run, shared by menu, run bar and keyboard. Which of them can be used follows
/// from the state alone.
class RunActions : public QObject {
  Q_OBJECT

 public:
  explicit RunActions(QObject* parent = nullptr);
  void set_state(RunState shown);

  QAction *start, *pause, *stop_save, *stop, *save, *sample, *check;
};

}  // namespace mantissa
