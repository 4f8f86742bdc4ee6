#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

#include "gui/engine/EngineClient.h"

namespace mantissa::gui {

/// Runs of the queue on further cards, beside the one of the Train page.
class SideRuns : public QObject {
  Q_OBJECT

 public:
  explicit SideRuns(Runner runner, QObject* parent = nullptr);
  ~SideRuns() override;

  /// Starts `job` at once; its number.
  int start(const JobSpec& job);
  /// Saves and stops a run, or all.
  void stop(int run);
  void stop_all();
  int count() const { return static_cast<int>(runs_.size()); }
  /// Whether one of them has this device.
  bool uses(const std::string& device) const;
  /// "Step 20 of 300 on cuda:2"; what it does before its first step.
  QString progress(int run) const;

 signals:
  void ended(int run, const RunEnd& end);
  /// Its progress changed.
  void advanced(int run);

 private:
  struct Run {
    int number = 0;
    std::unique_ptr<EngineClient> engine;
    std::int64_t step = 0, steps = 0, batches_per_epoch = 0;
  };
  const Run* find(int run) const;
  void look();
  void finish(int run, const RunEnd& end);

  Runner runner_;
  std::vector<Run> runs_;
  std::vector<StepRecord> drained_;
  int last_ = 0;
  QTimer timer_;
};

}  // namespace mantissa::gui
