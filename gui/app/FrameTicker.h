#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <vector>

#include "gui/engine/EngineClient.h"

namespace mantissa::gui {

class RunData;

/// The window's only timer. During a run with a visible window it ticks every 16 ms: drains the
/// ring buffer, then repaints the plots. When hidden, it only drains the ring once a second so that
/// no step is lost; when idle, it doesn't tick.
class FrameTicker : public QObject {
  Q_OBJECT

 public:
  FrameTicker(EngineClient* engine, RunData* data, QWidget* window, QObject* parent = nullptr);

  bool is_ticking() const { return timer_.isActive() && timer_.interval() == kFrameMs; }
  /// Drains the ring buffer (a run has ended).
  void drain_now();

  /// Longest time that one tick took, and longest time between two ticks of a run, in ns.
  std::int64_t longest_tick_ns() const { return longest_tick_; }
  std::int64_t longest_gap_ns() const { return longest_gap_; }
  std::uint64_t ticks() const { return ticks_; }
  void reset_figures();

  static constexpr int kFrameMs = 16, kUnseenMs = 1000, kLabelMs = 250;

 signals:
  /// Steps arrived since the last frame.
  void frame();
  /// Four times a second while running: labels and times.
  void labels();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void update_pace();
  void tick();
  bool window_seen() const;

  EngineClient* engine_;
  RunData* data_;
  QWidget* window_;
  QTimer timer_;
  QElapsedTimer since_labels_, since_tick_;
  std::vector<StepRecord> drained_;
  std::int64_t longest_tick_ = 0, longest_gap_ = 0;
  std::uint64_t ticks_ = 0;
};

}  // namespace mantissa::gui
