#include "gui/plot/SeriesStore.h"

#include <algorithm>
#include <cmath>

namespace mantissa::gui {

void Extent::add(double value) {
  if (!std::isfinite(value)) {
    ++non_finite;
    return;
  }
  ++count;
  min = std::min(min, value);
  max = std::max(max, value);
  if (value > 0) {
    positive_min = std::min(positive_min, value);
  }
}

void SeriesStore::append(std::int64_t step, double value) {
  if (!steps_.empty() && step <= steps_.back()) {
    truncate(step);
  }
  steps_.push_back(step);
  values_.push_back(value);
  add_to_levels(step, value);
}

void SeriesStore::add_to_levels(std::int64_t step, double value) {
  for (std::size_t level = 1;; ++level) {
    const int shift = static_cast<int>(level) * kFactorBits;
    if (level > levels_.size()) {
      // A new top level starts when the one below has grown past one bucket's worth.
      const bool wanted = level == 1 || levels_.back().size() > (1U << kFactorBits);
      if (!wanted || shift >= 60) {
        return;
      }
      std::vector<Bucket> top;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const std::int64_t index = steps_[i] >> shift;
        if (top.empty() || top.back().index != index) {
          top.push_back({index, {}});
        }
        top.back().extent.add(values_[i]);
      }
      levels_.push_back(std::move(top));
      continue;
    }
    auto& buckets = levels_[level - 1];
    const std::int64_t index = step >> shift;
    if (buckets.empty() || buckets.back().index != index) {
      buckets.push_back({index, {}});
    }
    buckets.back().extent.add(value);
  }
}

void SeriesStore::clear() {
  ++rewinds_;
  steps_.clear();
  values_.clear();
  levels_.clear();
}

void SeriesStore::truncate(std::int64_t step) {
  const std::size_t keep = lower_bound(step);
  if (keep == steps_.size()) {
    return;
  }
  ++rewinds_;
  steps_.resize(keep);
  values_.resize(keep);
  for (std::size_t level = 1; level <= levels_.size(); ++level) {
    auto& buckets = levels_[level - 1];
    const int shift = static_cast<int>(level) * kFactorBits;
    const std::int64_t cut = step >> shift;
    while (!buckets.empty() && buckets.back().index >= cut) {
      buckets.pop_back();
    }
    // The bucket at the cut is rebuilt from its remaining values.
    Bucket partial{cut, {}};
    for (std::size_t i = lower_bound(cut << shift); i < keep; ++i) {
      partial.extent.add(values_[i]);
    }
    if (partial.extent.count + partial.extent.non_finite > 0) {
      buckets.push_back(partial);
    }
  }
}

std::size_t SeriesStore::lower_bound(std::int64_t step) const {
  return static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) -
                                  steps_.begin());
}

std::size_t SeriesStore::nearest(std::int64_t step) const {
  if (steps_.empty()) {
    return 0;
  }
  const std::size_t i = lower_bound(step);
  if (i == steps_.size()) {
    return i - 1;
  }
  if (i > 0 && step - steps_[i - 1] < steps_[i] - step) {
    return i - 1;
  }
  return i;
}

int SeriesStore::level_for(double steps) const {
  int level = 0;
  while (level + 1 < levels() && std::ldexp(1.0, (level + 1) * kFactorBits) <= steps) {
    ++level;
  }
  return level;
}

Extent SeriesStore::scan(std::int64_t from, std::int64_t to) const {
  Extent out;
  for (std::size_t i = lower_bound(from); i < steps_.size() && steps_[i] < to; ++i) {
    out.add(values_[i]);
  }
  return out;
}

Extent SeriesStore::walk(std::size_t level, std::int64_t from, std::int64_t to) const {
  if (from >= to) {
    return {};
  }
  if (level == 0) {
    return scan(from, to);
  }
  const int shift = static_cast<int>(level) * kFactorBits;
  const std::int64_t width = std::int64_t{1} << shift;
  const std::int64_t first = (from + width - 1) >> shift;  // first bucket wholly inside
  const std::int64_t last = to >> shift;                   // first bucket not wholly inside
  if (first >= last) {
    return walk(level - 1, from, to);
  }
  Extent out = walk(level - 1, from, first << shift);
  const auto& buckets = levels_[level - 1];
  auto it = std::lower_bound(buckets.begin(), buckets.end(), first,
                             [](const Bucket& b, std::int64_t index) { return b.index < index; });
  for (; it != buckets.end() && it->index < last; ++it) {
    out.add(it->extent);
  }
  out.add(walk(level - 1, last << shift, to));
  return out;
}

Extent SeriesStore::extent(std::int64_t from, std::int64_t to) const {
  if (steps_.empty()) {
    return {};
  }
  // Clamp to the data, to avoid overflow checks below.
  from = std::max(from, steps_.front());
  to = std::min(to, steps_.back() + 1);
  return walk(levels_.size(), from, to);
}

void SeriesStore::columns(double from, double to, int count, std::vector<Extent>& out) const {
  out.assign(static_cast<std::size_t>(std::max(count, 0)), Extent{});
  if (steps_.empty() || count <= 0 || !(to > from)) {
    return;
  }
  const double per_step = count / (to - from);
  const auto column_of = [&](double step) {
    const double c = std::floor((step - from) * per_step);
    return c < 0 || c >= count ? -1 : static_cast<int>(c);
  };
  const auto first = static_cast<std::int64_t>(std::floor(std::max(from, -1e15)));
  const int level = level_for(0.5 / per_step);
  if (level == 0) {
    for (std::size_t i = lower_bound(first); i < steps_.size(); ++i) {
      const auto step = static_cast<double>(steps_[i]);
      if (step >= to) {
        break;
      }
      if (const int c = column_of(step); c >= 0) {
        out[static_cast<std::size_t>(c)].add(values_[i]);
      }
    }
    return;
  }
  const int shift = level * kFactorBits;
  const double width = std::ldexp(1.0, shift);
  const auto& buckets = levels_[static_cast<std::size_t>(level - 1)];
  auto it = std::lower_bound(buckets.begin(), buckets.end(), first >> shift,
                             [](const Bucket& b, std::int64_t index) { return b.index < index; });
  for (int c = 0; c < count; ++c) {
    // A bucket belongs to the column of its middle, at the ends of the view to the outermost
    // column.
    const double edge = from + (c + 1) / per_step;
    const double past = c + 1 < count ? edge / width - 0.5 : to / width;
    const auto end = static_cast<std::int64_t>(std::ceil(std::min(past, 1e15)));
    Extent sum;
    for (; it != buckets.end() && it->index < end; ++it) {
      sum.add(it->extent);
    }
    out[static_cast<std::size_t>(c)] = sum;
  }
}

double EmaFilter::push(double value) {
  if (!std::isfinite(value)) {
    return value;
  }
  sum_ = beta_ * sum_ + (1 - beta_) * value;
  weight_ = beta_ * weight_ + (1 - beta_);
  return sum_ / weight_;
}

void EmaFilter::reset() {
  sum_ = 0;
  weight_ = 0;
}

void SmoothedSeries::set_beta(double beta) {
  beta = std::clamp(beta, 0.0, 0.9999);
  if (beta != filter_.beta()) {
    filter_ = EmaFilter(beta);
    stale_ = true;
  }
}

void SmoothedSeries::update(const SeriesStore& raw) {
  if (stale_ || rewinds_ != raw.rewinds()) {
    store_.clear();
    filter_.reset();
    stale_ = false;
    rewinds_ = raw.rewinds();
  }
  for (std::size_t i = store_.size(); i < raw.size(); ++i) {
    store_.append(raw.steps()[i], filter_.push(raw.values()[i]));
  }
}

}  // namespace mantissa::gui
