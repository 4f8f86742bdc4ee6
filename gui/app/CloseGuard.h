#pragma once

#include <QObject>

namespace mantissa::gui {

class DataPage;
class DraftKeeper;
class EngineClient;
class PresetFiles;
class RunQueue;
struct WindowQuestions;

/// Keeps the window from closing during a run of this process: asks, saves, then closes, or first
/// continues the run in a process of its own. One that is that already just goes on. Unsaved edits
/// are there again at the next start; only if they can't be kept, it asks about them too, as about
/// captions and masks that can't be written.
class CloseGuard : public QObject {
  Q_OBJECT

 public:
  /// The object that `ask` refers to must outlive this one.
  CloseGuard(QWidget* window, const WindowQuestions& ask, EngineClient* engine, RunQueue* queue,
             PresetFiles* files, DraftKeeper* keeper, DataPage* data);

  /// Whether the window may close now; if not, asks, and closes it once possible.
  bool may_close();
  /// What the window waits for before it closes: for nothing, for the run's end, for its end and a
  /// process of its own that continues it, and for that process to begin.
  enum class Wait { none, end, hand_over, begin };
  Wait wait() const { return wait_; }
  void set_wait(Wait wait) { wait_ = wait; }

 private:
  /// Number of runs that end with this process.
  int runs_here() const;
  void ask_how();
  void stop_runs();
  void close_later();
  /// Asks about captions and strokes of a mask that can't be written. False if there are none.
  bool ask_about_lost();

  QWidget* window_;
  const WindowQuestions& ask_;
  EngineClient* engine_;
  RunQueue* queue_;
  PresetFiles* files_;
  DraftKeeper* keeper_;
  DataPage* data_;
  Wait wait_ = Wait::none;
  bool settled_ = false, may_lose_ = false;
};

}  // namespace mantissa::gui
