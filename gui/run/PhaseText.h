#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/run/run.h"
#include "gui/base/Text.h"

namespace mantissa::gui {

inline QString phase_label(RunPhase phase) {
  switch (phase) {
    case RunPhase::loading:
      return QCoreApplication::translate("Phase", "Loading the base model");
    case RunPhase::scanning:
      return QCoreApplication::translate("Phase", "Looking for images");
    case RunPhase::hashing:
      return QCoreApplication::translate("Phase", "Checking the base model's files");
    case RunPhase::caching:
      return QCoreApplication::translate("Phase", "Preparing images");
    case RunPhase::caching_text:
      return QCoreApplication::translate("Phase", "Preparing captions");
    case RunPhase::reading:
      return QCoreApplication::translate("Phase", "Reading images");
    case RunPhase::training:
      return QCoreApplication::translate("Phase", "Training");
    case RunPhase::sampling:
      return QCoreApplication::translate("Phase", "Rendering samples");
    case RunPhase::validating:
      return QCoreApplication::translate("Phase", "Computing validation loss");
    case RunPhase::measuring:
      return QCoreApplication::translate("Phase", "Measuring training images");
    case RunPhase::probing:
      return QCoreApplication::translate("Phase", "Comparing with FP32");
  }
  return {};
}

/// "12 of 60 images": units of a phase.
inline QString phase_count(RunPhase phase, const QString& done, const QString& total) {
  switch (phase) {
    case RunPhase::loading:
      return QCoreApplication::translate("Phase", "%1 of %2 weights").arg(done, total);
    case RunPhase::hashing:
      return QCoreApplication::translate("Phase", "%1 of %2 MB").arg(done, total);
    case RunPhase::scanning:
    case RunPhase::caching:
    case RunPhase::reading:
    case RunPhase::validating:
    case RunPhase::measuring:
      return QCoreApplication::translate("Phase", "%1 of %2 images").arg(done, total);
    case RunPhase::caching_text:
      return QCoreApplication::translate("Phase", "%1 of %2 captions").arg(done, total);
    case RunPhase::training:
    case RunPhase::sampling:
    case RunPhase::probing:
      return QCoreApplication::translate("Phase", "%1 of %2 steps").arg(done, total);
  }
  return {};
}

/// "Preparing images · 12 of 60 images"; without numbers if there is nothing to count.
inline QString phase_text(RunPhase phase, qint64 done, qint64 total) {
  return total > 1 ? QStringLiteral("%1 · %2").arg(
                         phase_label(phase), phase_count(phase, step_text(done), step_text(total)))
                   : phase_label(phase);
}

}  // namespace mantissa::gui
