#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/precision/FindingCard.h"

class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace mantissa::gui {

class ElideLabel;
class PreflightLine;

/// All that a start would find, a line each: what blocks it first, each with its fix or the way to
/// its field. Always in sight above the settings of a run, and as high whatever is found, so that
/// nothing below moves: in a low window that is the first lines, and a button shows the others.
/// `mantissa check` prints the same.
class PreflightList : public QFrame {
  Q_OBJECT

 public:
  explicit PreflightList(const Theme* theme, QWidget* parent = nullptr);

  /// Findings to act on, in their order. `remedy`: what helps where a preset's change doesn't;
  /// `now`: the preset that fixes change.
  void show_findings(const std::vector<Finding>& findings, const RemedyOf& remedy,
                     const Preset& now);
  /// A problem that prevents the check, in place of findings.
  void show_problem(const QString& problem);
  /// "2 problems block Start · 1 warning"
  void set_summary(const QString& text, bool blocked);
  /// The height of the page that it is on: the lines have a share of it.
  void set_room(int height);
  QPushButton* check_button() const { return check_; }
  /// Shows all lines, as far as half of the page has room for them, or the first ones again.
  QPushButton* more_button() const { return more_; }
  QString summary() const;
  /// The lines, for tests and screen readers.
  QStringList lines() const;
  /// The button of a line.
  QPushButton* button(int line) const;
  PreflightLine* line(int line) const { return rows_made_.at(static_cast<std::size_t>(line)); }
  QScrollArea* area() const { return area_; }

 signals:
  void fix_requested(const QString& patch_json, const QString& id);
  void field_requested(const QString& key);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void clear();
  void set_whole(bool on);
  void offer_more();
  /// Heights of the first lines alone, and of all of them.
  int brief_height() const;
  int whole_height() const;

  const Theme* theme_;
  ElideLabel* summary_;
  QPushButton *check_, *more_;
  QScrollArea* area_;
  QVBoxLayout* rows_;
  QStringList texts_;
  std::vector<PreflightLine*> rows_made_;
  int room_ = 0;
  bool is_whole_ = false;
};

}  // namespace mantissa::gui
