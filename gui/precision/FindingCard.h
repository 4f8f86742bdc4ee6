#pragma once

#include <QFrame>
#include <QString>

#include "engine/train/run.h"
#include "gui/base/Theme.h"

class QHBoxLayout;

namespace mantissa::gui {

inline bool is_refused(const Finding& finding) {
  return finding.verdict == "refused";
}
inline bool is_warning(const Finding& finding) {
  return finding.verdict == "warning";
}

/// One precision finding: icon and word (never colour alone), what happens and why, links to its
/// fields, and its fix as old → new.
class FindingCard : public QFrame {
  Q_OBJECT

 public:
  /// `now` is the draft, for the old values of the fix.
  FindingCard(const Finding& finding, const Preset& now, const Theme* theme,
              QWidget* parent = nullptr);

  /// Adds a button to hide a warning; the card's owner must remember it.
  void offer_ignore();

 signals:
  void field_requested(const QString& key);
  void fix_requested(const QString& patch_json, const QString& id);
  /// Hide it for this preset; only for warnings.
  void ignore_requested(const QString& id);

 private:
  QString id_;
  QHBoxLayout* buttons_;
};

}  // namespace mantissa::gui
