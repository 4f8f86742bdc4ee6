#pragma once

#include <QObject>
#include <QStringList>

#include "engine/plan/plan_report.h"

class QLabel;
class QProgressBar;
class QVBoxLayout;
class QWidget;

namespace mantissa::gui {

/// The lines that say what a start would take: memory needed and available, time, steps, the
/// smallest common card, disk.
class StartEstimate : public QObject {
  Q_OBJECT

 public:
  /// Adds the lines to a column of `card`; they are hidden until there is something to say.
  StartEstimate(QVBoxLayout* column, QWidget* card);

  void show_plan(const PlanReport& report);
  /// Why the memory isn't known.
  void show_problem(const QString& message);
  /// The draft has changed since.
  void set_outdated();
  void hide();
  /// Steps, the smallest common card, disk.
  QString start_text() const;

 private:
  QLabel* add_line(const char* role, QVBoxLayout* column, QWidget* card);
  void show_memory(const PlanReport& report);
  static QStringList start_lines(const PlanReport& report);

  QLabel *memory_, *parts_, *time_, *start_;
  QProgressBar* bar_;
};

}  // namespace mantissa::gui
