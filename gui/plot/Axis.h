#pragma once

#include <QString>
#include <cmath>
#include <vector>

namespace mantissa::gui {

/// A value's position on an axis: 0 at `low`, 1 at `high`. On a logarithmic one (low > 0), values
/// <= 0 are placed just below it.
class ValueScale {
 public:
  ValueScale(double low, double high, bool log);
  double share(double value) const {
    if (!log_) {
      return (value - low_) * per_unit_;
    }
    return value > 0 ? std::log(value / low_) * per_unit_ : -0.5;
  }
  double value(double share) const;

 private:
  double low_, high_, per_unit_;
  bool log_;
};

struct Tick {
  double value = 0;
  QString label;  ///< empty for minor ticks
};

/// Round values (1, 2 or 5 times a power of ten) covering [low, high], about `target` of them.
/// With `whole` no step is finer than 1.
std::vector<Tick> linear_ticks(double low, double high, int target, bool whole = false);

/// Decades, with 2s and 5s where few decades are in view, and minor ticks between. low > 0.
std::vector<Tick> log_ticks(double low, double high, int target);

/// Round durations covering [low, high] seconds, about `target` of them: seconds by tenths, halves,
/// fives and quarters of a minute, and so on up to days.
std::vector<Tick> time_ticks(double low, double high, int target);

/// Short text with `digits` significant digits: "0.1243", "65536", "1.2e-05".
QString format_number(double value, int digits = 4);

/// "9:27" or "1:02:05" or "3 d 4 h".
QString format_duration(double seconds);

}  // namespace mantissa::gui
