#pragma once

#include <QCoreApplication>
#include <QString>

#include "gui/base/Text.h"

namespace mantissa::gui {

/// The engine's word for what it is doing, for people.
inline QString phase_name(const QString& phase) {
  const std::pair<const char*, QString> names[] = {
      {"loading", QCoreApplication::translate("Phase", "Loading the base model")},
      {"hashing", QCoreApplication::translate("Phase", "Checking the base model's files")},
      {"caching", QCoreApplication::translate("Phase", "Preparing images")},
      {"caching text", QCoreApplication::translate("Phase", "Preparing captions")},
      {"sampling", QCoreApplication::translate("Phase", "Rendering samples")},
      {"validating", QCoreApplication::translate("Phase", "Computing validation loss")},
      {"saving", QCoreApplication::translate("Phase", "Saving")},
      {"probing", QCoreApplication::translate("Phase", "Comparing with FP32")},
  };
  for (const auto& [word, name] : names) {
    if (phase == QLatin1String(word)) {
      return name;
    }
  }
  return phase;
}

/// "Preparing images · 12 of 60"; without numbers where there is nothing to count.
inline QString phase_text(const QString& phase, qint64 done, qint64 total) {
  return total > 1 ? QCoreApplication::translate("Phase", "%1 · %2 of %3")
                         .arg(phase_name(phase), step_text(done), step_text(total))
                   : phase_name(phase);
}

}  // namespace mantissa::gui
