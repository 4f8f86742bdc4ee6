#pragma once

#include <QString>
#include <chrono>
#include <optional>

#include "engine/run/run.h"

namespace mantissa::gui {

/// The progress of long work and the remaining time of its phase, estimated from the pace so far.
class PhaseClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Progress of a phase. Another phase, or a count that goes back, restarts the clock.
  void advance(RunPhase phase, qint64 done, qint64 total, Clock::time_point now = Clock::now());
  void clear() { phase_.reset(); }

  const std::optional<RunPhase>& phase() const { return phase_; }
  qint64 done() const { return done_; }
  qint64 total() const { return total_; }
  bool is_over() const { return !phase_ || done_ >= total_; }
  /// Seconds until the phase is over; negative while no unit of it is done.
  double remaining(Clock::time_point now = Clock::now()) const;
  /// "Preparing images · 12 of 60 images · ETA 1:20"
  QString text(Clock::time_point now = Clock::now()) const;

 private:
  std::optional<RunPhase> phase_;
  qint64 first_ = 0, done_ = 0, total_ = 0;
  Clock::time_point began_{}, advanced_{};
};

}  // namespace mantissa::gui
