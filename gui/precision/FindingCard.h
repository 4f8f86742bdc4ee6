#pragma once

#include <QFrame>
#include <QString>
#include <functional>

#include "engine/run/run.h"
#include "gui/base/Theme.h"

class QHBoxLayout;

namespace mantissa::gui {

inline bool is_refused(const Finding& finding) {
  return finding.verdict == Verdict::refused;
}
inline bool is_warning(const Finding& finding) {
  return finding.verdict == Verdict::warning;
}

/// Whether a change of the preset mends it.
inline bool has_fix(const Finding& finding) {
  return !finding.fix_json.empty() && finding.fix_json != "{}";
}
/// The label of a finding's field in the form.
QString field_label(const QString& key);
/// Its message as a sentence in plain words.
QString finding_text(const Finding& finding);
/// "Refused"
QString verdict_text(const Finding& finding);

/// A way to mend a finding other than a change of the preset. Without text there is none.
struct Remedy {
  QString text{};
  std::function<void()> act{};
};
using RemedyOf = std::function<Remedy(const Finding&)>;

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
  /// Adds a button for it, if it has a text.
  void offer(const Remedy& remedy);

 signals:
  void field_requested(const QString& key);
  void fix_requested(const QString& patch_json, const QString& id);
  /// Hide it for this preset; only for warnings.
  void ignore_requested(const QString& id);

 private:
  QString id_;
  QString name_;  ///< for people who hear it
  QHBoxLayout* buttons_;
};

}  // namespace mantissa::gui
