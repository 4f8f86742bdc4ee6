#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace mantissa::gui {

/// Extent of a range of steps. min > max if it has no finite value.
struct Extent {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double positive_min = std::numeric_limits<double>::infinity();  ///< for logarithmic axes
  std::int64_t count = 0;                                         ///< finite values
  std::int64_t non_finite = 0;                                    ///< NaN and infinite values

  bool empty() const { return count == 0; }
  void add(double value);
  // Inline: a frame adds tens of thousands.
  void add(const Extent& other) {
    count += other.count;
    non_finite += other.non_finite;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    positive_min = std::min(positive_min, other.positive_min);
  }
};

/// One plotted quantity: (step, value) columns with a min/max pyramid over them. Bucket edges are
/// multiples of 16^level in *step* space, so they never move as data arrives or the view pans, and
/// a spike is never lost by drawing fewer points.
class SeriesStore {
 public:
  static constexpr int kFactorBits = 4;  ///< 16 buckets of one level form one of the next

  /// Appends in amortised constant time. A step at or before the last one rewinds the series to it
  /// first (a run that resumes from an older checkpoint).
  void append(std::int64_t step, double value);
  void clear();
  /// Drops every value at `step` and after it.
  void truncate(std::int64_t step);

  std::size_t size() const { return steps_.size(); }
  bool empty() const { return steps_.empty(); }
  std::span<const std::int64_t> steps() const { return steps_; }
  std::span<const double> values() const { return values_; }

  /// Index of the first value whose step is >= `step`.
  std::size_t lower_bound(std::int64_t step) const;
  /// Index of the value nearest to `step`; size() when empty.
  std::size_t nearest(std::int64_t step) const;

  /// Incremented whenever values are removed; copies must then start over.
  std::uint64_t rewinds() const { return rewinds_; }

  /// Exact extent of the steps in [from, to), in O(16 log n).
  Extent extent(std::int64_t from, std::int64_t to) const;

  /// One extent for each of `count` equal columns over the steps [from, to), for drawing. Reads
  /// buckets at most half a column wide, so an extent is off by less than half a column
  /// horizontally.
  void columns(double from, double to, int count, std::vector<Extent>& out) const;

  /// Level whose buckets are no wider than `steps`; 0 means single values.
  int level_for(double steps) const;
  int levels() const { return static_cast<int>(levels_.size()) + 1; }

 private:
  struct Bucket {
    std::int64_t index = 0;  ///< step >> (level * kFactorBits)
    Extent extent;
  };
  void add_to_levels(std::int64_t step, double value);
  Extent scan(std::int64_t from, std::int64_t to) const;
  Extent walk(std::size_t level, std::int64_t from, std::int64_t to) const;

  std::vector<std::int64_t> steps_;
  std::vector<double> values_;
  std::vector<std::vector<Bucket>> levels_;  ///< [level - 1], sorted by index
  std::uint64_t rewinds_ = 0;
};

/// Exponential moving average without the start-up bias: s_t = βs + (1-β)v, divided by 1-β^t
/// (Kingma and Ba 2015, section 3). Non-finite values pass through without changing the state.
class EmaFilter {
 public:
  explicit EmaFilter(double beta = 0) : beta_(beta) {}
  double beta() const { return beta_; }
  double push(double value);
  void reset();

 private:
  double beta_ = 0, sum_ = 0, weight_ = 0;
};

/// The smoothed twin of a series. Smoothing runs over the full series, never over the visible part,
/// so zooming does not change the line.
class SmoothedSeries {
 public:
  void set_beta(double beta);
  double beta() const { return filter_.beta(); }
  /// Adds the new values of `raw` since the last call; starts over after a rewind or a new β.
  void update(const SeriesStore& raw);
  const SeriesStore& store() const { return store_; }

 private:
  EmaFilter filter_;
  SeriesStore store_;
  std::uint64_t rewinds_ = 0;
  bool stale_ = true;
};

}  // namespace mantissa::gui
