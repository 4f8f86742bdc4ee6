#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include "gui/app/WindowFrame.h"

namespace mantissa {
struct JobSpec;
struct Preset;
}  // namespace mantissa

namespace mantissa::gui {

class DraftReview;
class RunStatus;

/// Starts runs: Setup's draft, the next of the queue, and resumed runs. Forwards requests of the
/// Run menu and the Train page to the run in progress.
class RunStarter : public QObject {
  Q_OBJECT

 public:
  RunStarter(const WindowFrame& frame, DraftReview* draft, RunStatus* status);

  /// Starts Setup's draft.
  void start();
  /// Continues the run of a folder with a preset of its own. The draft stays as it is.
  void resume(const QString& folder, const Preset& preset);
  /// Shows a run on the Train page and starts it: as the settings say, in a process of its own.
  void launch(const JobSpec& job);
  void launch_apart(const JobSpec& job);

 private:
  /// Starts a run of the queue: nobody asked for its page now.
  void launch_queued(const JobSpec& job);
  void begin(const JobSpec& job, bool apart);
  bool starts_apart() const;
  void tell_apart();
  /// Asks first if steps would be lost.
  void stop();
  /// What a stop without saving would lose now.
  QString lost_text() const;
  void open_folder();
  void connect_commands();
  void connect_queue();
  void continue_shown();
  void ask_for_more(const Preset& run);
  /// The run's own settings; those of the draft where that differs only in what may change on
  /// resume.
  Preset settings_to_resume(const Preset& run) const;
  void enqueue();
  /// Asks for a sweep of the draft, and adds its runs to the queue.
  void sweep();
  void tell_added(int runs);

  const WindowFrame& f_;
  DraftReview* draft_;
  RunStatus* status_;
  QPointer<QWidget> stop_question_;
};

}  // namespace mantissa::gui
