#pragma once

#include <QObject>
#include <QTimer>
#include <QVector>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "engine/plan/draft_plan.h"
#include "engine/plan/fit_options.h"
#include "engine/run/run.h"
#include "gui/engine/LatestWorker.h"

namespace mantissa::gui {

/// Updates plan, findings and memory of the draft while it is edited, off the window's thread:
/// types and findings immediately, the exact memory when typing pauses, and what only the images
/// tell when nothing was edited for longer.
class PlanWatcher : public QObject {
  Q_OBJECT

 public:
  /// Scans images; its progress throws what is no std::exception to cancel.
  using Inspection = std::function<PlanReport(const JobSpec& job, const Progress& progress)>;

  /// `quick` computes types and findings, `full` also the memory and the job's problems; neither
  /// may scan images, which would take seconds for each edit. `inspect`: empty for none.
  PlanWatcher(PlanFunction quick, PlanFunction full, Inspection inspect = {},
              QObject* parent = nullptr);
  ~PlanWatcher() override;

  /// The current draft.
  void set_job(const JobSpec& job);
  /// Findings or memory of the latest draft are still being computed.
  bool is_busy() const { return pause_.isActive() || told_ != generation_; }
  /// Off while a run needs the processor.
  void set_inspecting(bool on);
  const PlanFunction& quick() const { return quick_plan_; }
  /// Milliseconds from the last edit to its findings, for the tests and the log.
  double last_latency() const { return last_latency_; }

 signals:
  /// Types and findings of the draft.
  void planned(const PlanReport& report);
  /// The plan with memory and modules.
  void measured(const PlanReport& report);
  /// The plan with what scanning the images finds; only of a draft that nothing else blocks.
  void inspected(const PlanReport& report);
  /// The memory can't be computed yet, and why.
  void unmeasured(const QString& why);
  /// The run doesn't fit: changes that would make it fit.
  void fits(const QVector<FitOption>& options);

  // From the worker threads to this object.
  void relay_planned(quint64 generation, const PlanReport& report);
  void relay_measured(quint64 generation, const PlanReport& report);
  void relay_inspected(quint64 generation, const PlanReport& report);
  void relay_unmeasured(quint64 generation, const QString& why);
  void relay_fits(quint64 generation, const QVector<FitOption>& options);

 private:
  void measure(const JobSpec& job, std::uint64_t generation);
  void inspect(const JobSpec& job, std::uint64_t generation);
  /// Inspects the draft after a pause, if it is on.
  void await_inspection();

  PlanFunction quick_plan_, full_plan_;
  Inspection inspection_;
  JobSpec job_;
  std::atomic<std::uint64_t> generation_{0};
  std::uint64_t told_ = 0;  ///< the latest generation whose memory was reported
  std::chrono::steady_clock::time_point asked_at_{};
  double last_latency_ = 0;
  QTimer pause_, wait_;
  bool inspecting_ = true, blocked_ = true;
  std::uint64_t inspected_ = 0;           ///< the latest generation whose images were seen
  std::atomic<std::int64_t> took_ms_{0};  ///< the last inspection
  LatestWorker<JobSpec> quick_worker_, full_worker_, inspector_;
};

}  // namespace mantissa::gui
