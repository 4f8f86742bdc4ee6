#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/precision/FindingCard.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace mantissa::gui {

/// All that a start would find, a line each: what blocks it first, each with its fix or the way to
/// its field. Always in sight above the settings of a run; `mantissa check` prints the same.
class PreflightList : public QFrame {
  Q_OBJECT

 public:
  explicit PreflightList(const Theme* theme, QWidget* parent = nullptr);

  /// Findings to act on, in their order. `remedy`: what helps where a preset's change doesn't.
  void show_findings(const std::vector<Finding>& findings, const RemedyOf& remedy);
  /// "2 problems block Start · 1 warning"
  void set_summary(const QString& text, bool blocked);
  QPushButton* check_button() const { return check_; }
  QString summary() const;
  /// The lines, for tests and screen readers.
  QStringList lines() const;
  /// The button of a line.
  QPushButton* button(int line) const;

 signals:
  void fix_requested(const QString& patch_json, const QString& id);
  void field_requested(const QString& key);

 private:
  QWidget* make_line(const Finding& finding, const RemedyOf& remedy);

  const Theme* theme_;
  QLabel* summary_;
  QPushButton* check_;
  QScrollArea* area_;
  QVBoxLayout* rows_;
  QStringList texts_;
  std::vector<QPushButton*> buttons_;
};

}  // namespace mantissa::gui
