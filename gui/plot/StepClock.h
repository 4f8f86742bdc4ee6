#pragma once

#include <cstdint>
#include <vector>

namespace mantissa::gui {

/// The training time at the end of each step of a run, in seconds: the sum of the steps' own
/// times. Pauses, saving and sampling don't count, so that runs can be compared.
class StepClock {
 public:
  /// A step at or before the last one rewinds the clock to it first, as in SeriesStore. Steps left
  /// out take as long as this one.
  void append(std::int64_t step, double seconds);
  void clear();

  bool empty() const { return steps_.empty(); }
  /// Seconds of all steps together.
  double total() const { return empty() ? 0 : ends_.back(); }
  /// Mean of all steps; 0 if there is none.
  double seconds_per_step() const;
  /// When `step` ended; before the first step and behind the last one at the mean pace.
  double end_of(std::int64_t step) const;
  /// The first step that ends at `seconds` or later; behind the last one at the mean pace.
  std::int64_t first_ending_from(double seconds) const;
  /// The step whose end is nearest.
  std::int64_t nearest(double seconds) const;

 private:
  std::vector<std::int64_t> steps_;
  std::vector<double> ends_;
  std::int64_t before_first_ = 0;  ///< the step before the first one
};

}  // namespace mantissa::gui
