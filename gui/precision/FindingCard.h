#pragma once
// defines: FindingCard

#include <QFrame>

#include "engine/train/run.h"
#include "gui/app/Theme.h"

namespace mantissa {

/// One precision finding: icon and word (never colour alone), the cause, links to the fields it is
/// about, and its fix.
class FindingCard : public QFrame {
  Q_OBJECT

 public:
  FindingCard(const Finding& finding, const Theme* theme, QWidget* parent = nullptr);

 signals:
  void field_requested(const QString& key);
  void fix_requested(const QString& patch_json, const QString& id);
};

}  // namespace mantissa
