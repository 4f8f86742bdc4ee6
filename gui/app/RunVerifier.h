#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa {
struct VerifyReport;
}  // namespace mantissa

namespace mantissa::gui {

/// Whether this version computes what a run's version did: on a request from the history, and
/// offered once after an update. Takes the run's first steps again on the engine's thread and shows
/// them beside those that the run has kept; the run stays as it is.
class RunVerifier : public QObject {
  Q_OBJECT

 public:
  explicit RunVerifier(const WindowFrame& frame);

  void verify(const QString& id);
  /// Offers the newest finished run that has kept its first steps, if the studio that was started
  /// last was of another version than `version`.
  void offer_after_update(const QString& version);

 private:
  void show_report(const VerifyReport& report);

  const WindowFrame& f_;
};

}  // namespace mantissa::gui
