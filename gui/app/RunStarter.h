#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa {
struct JobSpec;
}  // namespace mantissa

namespace mantissa::gui {

class DraftReview;
class RunStatus;

/// Starts runs: what Setup describes, the next of the queue, and runs that continue. Passes on what
/// the Run menu and the Train page ask of the one in progress.
class RunStarter : public QObject {
  Q_OBJECT

 public:
  RunStarter(const WindowFrame& frame, DraftReview* draft, RunStatus* status);

  /// What Setup describes.
  void start();
  /// Shows a run on the Train page and starts it.
  void launch(const JobSpec& job);

 private:
  void connect_commands();
  void connect_queue();
  void continue_shown();
  void enqueue();

  const WindowFrame& f_;
  DraftReview* draft_;
  RunStatus* status_;
};

}  // namespace mantissa::gui
