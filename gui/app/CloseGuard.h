#pragma once

#include <QObject>

namespace mantissa::gui {

class DraftKeeper;
class EngineClient;
class PresetDocument;
class PresetFiles;
class RunQueue;
struct WindowQuestions;

/// Keeps the window from closing during a run: asks, saves, then closes. Unsaved edits are there
/// again at the next start; only if they can't be kept, it asks about them too.
class CloseGuard : public QObject {
  Q_OBJECT

 public:
  /// The object that `ask` refers to must outlive this one.
  CloseGuard(QWidget* window, const WindowQuestions& ask, EngineClient* engine, RunQueue* queue,
             const PresetDocument* document, PresetFiles* files, DraftKeeper* keeper);

  /// Whether the window may close now; if not, asks, and closes it once possible.
  bool may_close();
  /// The window closes as soon as the run has ended.
  bool is_closing() const { return after_run_; }

 private:
  void ask_to_stop();

  QWidget* window_;
  const WindowQuestions& ask_;
  EngineClient* engine_;
  RunQueue* queue_;
  const PresetDocument* document_;
  PresetFiles* files_;
  DraftKeeper* keeper_;
  bool after_run_ = false, settled_ = false;
};

}  // namespace mantissa::gui
