#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"
#include "gui/programs/AdapterCopier.h"

class QToolButton;

namespace mantissa::gui {

class ResultView;
class RunStatus;

/// The results of runs: on the Train page that of the run which ended or was opened, on History
/// that of the selected one; and what their buttons do.
class RunResults : public QObject {
  Q_OBJECT

 public:
  RunResults(const WindowFrame& frame, RunStatus* status);

  ResultView* view() const { return view_; }
  AdapterCopier* copier() { return &copier_; }

 signals:
  /// The preset of the run on the Train page is wanted as the draft.
  void again_requested(const Preset& preset, const QString& name);

 private:
  void connect_view(ResultView* view);
  void show_shown_run();
  void tell_copied(const AdapterCopier::Wish& wish, const QString& to, bool there);
  void show_folder(const QString& path);

  const WindowFrame& f_;
  RunStatus* status_;
  ResultView* view_;
  AdapterCopier copier_;
};

}  // namespace mantissa::gui
