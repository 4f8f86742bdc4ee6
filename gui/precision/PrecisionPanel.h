#pragma once

#include <QSet>
#include <QVector>
#include <QWidget>
#include <optional>

#include "engine/plan/fit_options.h"
#include "engine/plan/plan_report.h"
#include "gui/base/Theme.h"
#include "gui/precision/FindingCard.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace mantissa::gui {

class PreflightList;
class PresetDocument;
class StartEstimate;

/// The draft's preflight: its list, and below it memory needed and available, the precision plan,
/// and a card for every finding. Refusals block Start.
class PrecisionPanel : public QWidget {
  Q_OBJECT

 public:
  PrecisionPanel(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  /// Types and findings of the preset; the job's stay, and the memory, marked as outdated.
  void show_findings(const PlanReport& report);
  /// All findings, and the memory.
  void show_plan(const PlanReport& report);
  /// The problem that prevents a plan.
  void show_problem(const QString& message);
  void show_memory_problem(const QString& message);
  /// What a start would take: steps, the smallest common card, disk.
  QString start_text() const;
  /// Changes that would make it fit, one button each.
  void show_fits(const QVector<FitOption>& options);
  void set_busy(bool busy);
  /// Warnings not to be shown for this preset.
  void set_ignored(const QStringList& ids);
  QStringList ignored() const;
  /// What helps against findings that no change of the preset mends.
  void set_remedies(RemedyOf remedy) { remedy_ = std::move(remedy); }
  /// The list, to be placed where it is always in sight.
  PreflightList* list() const { return list_; }
  QPushButton* check_button() const { return check_; }
  QPushButton* fix_all_button() const { return fix_all_; }
  QPushButton* probe_button() const { return probe_; }

  int refused() const { return refused_; }
  /// Some finding has a safe fix.
  bool can_fix() const { return can_fix_; }
  int warnings() const { return warnings_; }
  /// "S5: fp16 without …", of the first refusal; empty if nothing blocks.
  /// `with_job`: also for the job's problems.
  QString refusal(bool with_job = true) const;
  /// "2 errors block Start".
  static QString errors_text(int errors);

 signals:
  void field_requested(const QString& key);
  void fix_requested(const QString& patch_json, const QString& id);
  void fix_all_requested();
  void probe_requested();
  void ignored_changed();
  /// Numbers of refusals or warnings have changed.
  void counted();

 private:
  void take_findings(const PlanReport& report, bool whole);
  void clear_cards();
  void fill_cards();
  void fill_state();
  void fill_table(const std::string& precision_json);
  QWidget* build_plan(QWidget* parent);

  PresetDocument* document_;
  const Theme* theme_;
  PreflightList* list_;
  StartEstimate* estimate_;
  RemedyOf remedy_;
  QPushButton *check_, *fix_all_, *probe_;
  QToolButton *plan_toggle_, *show_ignored_;
  QLabel* plan_;
  QWidget *plan_table_, *fits_box_;
  QGridLayout* table_grid_;
  QVBoxLayout *cards_, *fits_;
  std::vector<Finding> findings_;
  QSet<QString> ignored_;
  bool has_plan_ = false, has_memory_ = false, has_job_ = false;
  int refused_ = 0, warnings_ = 0;
  bool can_fix_ = false;
};

}  // namespace mantissa::gui
