#pragma once

#include <QObject>
#include <optional>

#include "gui/app/WindowFrame.h"

namespace mantissa {
struct JobSpec;
}  // namespace mantissa

namespace mantissa::gui {

class PresetFiles;

/// The review of the draft before it runs: findings while typing, Check's plan, the fixes for both,
/// and whether it can start.
class DraftReview : public QObject {
  Q_OBJECT

 public:
  DraftReview(const WindowFrame& frame, PresetFiles* files);

  /// False, with the reason shown, if the draft is edited as text that can't be applied.
  bool settle_text();
  /// The draft with the paths of Setup.
  JobSpec draft() const;
  /// The draft as a run would have it.
  JobSpec planned() const;
  /// The draft as a run would have it if it can start; else none, and the reason is shown.
  std::optional<JobSpec> startable();
  /// Plans the draft now, and again with every change.
  void plan();
  void check();
  void fix_all_safe();

 signals:
  /// The set of problems that block Start has changed.
  void readiness_changed();

 private:
  void update_readiness();
  /// False, with the reason shown, if the patch can't be applied.
  bool apply_fix(const QString& patch, const QString& id);

  const WindowFrame& f_;
  PresetFiles* files_;
  QString told_;                       ///< why Start was blocked, while that is shown
  int edits_ = 0, checked_edits_ = 0;  // of the form, and when the check began
};

}  // namespace mantissa::gui
