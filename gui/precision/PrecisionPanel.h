#pragma once
// defines: PrecisionPanel

#include <QWidget>
#include <optional>

#include "engine/train/run.h"
#include "gui/app/Theme.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace mantissa {

/// The preflight: memory needed and available, the precision plan, and findings.
class PrecisionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit PrecisionPanel(const Theme* theme, QWidget* parent = nullptr);

  void show_plan(const PlanReport& report);
  void show_problem(const QString& message);
  void set_busy(bool busy);
  /// The preset or the job changed: what is shown is of an earlier state.
  void set_stale();
  QPushButton* check_button() const { return check_; }

 signals:
  void field_requested(const QString& key);
  void fix_requested(const QString& patch_json, const QString& id);

 private:
  void clear_cards();

  const Theme* theme_;
  QPushButton* check_;
  QLabel *state_, *memory_, *parts_;
  QProgressBar* bar_;
  QVBoxLayout* cards_;
  bool has_plan_ = false;
};

}  // namespace mantissa
