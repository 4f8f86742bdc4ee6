#include "gui/run/PhaseClock.h"

#include <QStringList>
#include <algorithm>

#include "gui/plot/Axis.h"
#include "gui/run/PhaseText.h"

namespace mantissa::gui {

void PhaseClock::advance(RunPhase phase, qint64 done, qint64 total, Clock::time_point now) {
  if (phase_ != phase || done < done_ || total != total_) {
    began_ = advanced_ = now;
    first_ = done;
  } else if (done > done_) {
    advanced_ = now;
  }
  phase_ = phase;
  done_ = done;
  total_ = total;
}

double PhaseClock::remaining(Clock::time_point now) const {
  if (!phase_ || done_ <= first_) {
    return -1;
  }
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  const double each = seconds(advanced_ - began_) / static_cast<double>(done_ - first_);
  return std::max(0.0, each * static_cast<double>(total_ - done_) - seconds(now - advanced_));
}

QString PhaseClock::text(Clock::time_point now) const {
  if (!phase_) {
    return {};
  }
  QStringList parts{phase_text(*phase_, done_, total_)};
  if (const double left = remaining(now); left >= 1) {
    parts << QCoreApplication::translate("Phase", "ETA %1").arg(format_duration(left));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace mantissa::gui
