#include "gui/run/RunData.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace mantissa::gui {
namespace {

constexpr std::size_t kRateSteps = 200;
constexpr double kRateSeconds = 60;

bool is_skip(PlotMarker::Kind kind) {
  return kind == PlotMarker::Kind::skipped || kind == PlotMarker::Kind::overflow;
}

}  // namespace

void RunData::begin(std::int64_t total_steps) {
  ++begun_;
  length_ = {total_steps};
  last_ = {};
  for (SeriesStore* store :
       {&loss, &validation, &grad_norm, &clip_norm, &loss_scale, &update_ratio, &lost_update}) {
    store->clear();
  }
  for (Rate& rate : learning_rates) {
    rate.series.clear();
  }
  clock.clear();
  markers_.clear();
  reports_.clear();
  health.clear();
  ++markers_version_;
  seconds_.clear();
  seconds_sum_ = 0;
  process_rates_.reset();
}

SeriesStore& RunData::rate_of(Part part) {
  const auto known = std::find_if(learning_rates.begin(), learning_rates.end(),
                                  [&](const Rate& rate) { return rate.part == part; });
  return known != learning_rates.end() ? known->series : learning_rates.emplace_back(part).series;
}

std::size_t RunData::trained_parts() const {
  return static_cast<std::size_t>(
      std::count_if(learning_rates.begin(), learning_rates.end(),
                    [](const Rate& rate) { return !rate.series.empty(); }));
}

void RunData::append(std::span<const StepRecord> records) {
  for (const StepRecord& r : records) {
    if (has_steps() && r.step <= last_.step) {
      // The run resumes from an older checkpoint: data of later steps is void.
      std::erase_if(markers_, [&](const PlotMarker& m) { return m.step >= r.step; });
      std::erase_if(reports_, [&](const NonFiniteReport& n) { return n.step > r.step; });
      validation.truncate(r.step + 1);
      ++markers_version_;
    }
    clock.append(r.step, r.seconds);
    loss.append(r.step, r.loss);
    grad_norm.append(r.step, r.grad_norm);
    clip_norm.append(r.step, r.clip_norm);
    loss_scale.append(r.step, r.loss_scale);
    for (const PartFigures& p : r.parts) {
      rate_of(p.part).append(r.step, p.lr);
    }
    // A skipped step changes nothing; as a zero it would look like a measurement.
    if (!r.skipped) {
      update_ratio.append(r.step, r.update_ratio);
      lost_update.append(r.step, 100 * r.lost_update);
    }
    if (!std::isfinite(r.loss)) {
      add_marker(PlotMarker::Kind::nan, r.step,
                 QCoreApplication::translate("RunData", "loss is NaN/Inf"));
    }
    if (r.skipped) {
      const bool overflow = std::isfinite(r.loss) && r.loss_scale > 1;
      add_marker(
          overflow ? PlotMarker::Kind::overflow : PlotMarker::Kind::skipped, r.step,
          overflow
              ? QCoreApplication::translate("RunData", "overflow at this loss scale, step skipped")
              : QCoreApplication::translate("RunData", "NaN/Inf gradients, step skipped"));
    }
    if (r.seconds > 0) {
      seconds_.push_back(r.seconds);
      seconds_sum_ += r.seconds;
    }
    while (seconds_.size() > 1 && (seconds_.size() > kRateSteps || seconds_sum_ > kRateSeconds)) {
      seconds_sum_ -= seconds_.front();
      seconds_.pop_front();
    }
    last_ = r;
  }
}

void RunData::add_marker(PlotMarker::Kind kind, std::int64_t step, const QString& text,
                         const QString& path) {
  const bool told = kind == PlotMarker::Kind::sample && !markers_.empty() &&
                    markers_.back().kind == kind && markers_.back().step == step;
  if (!told) {
    markers_.push_back({step, kind, text, path});
    ++markers_version_;
  }
}

void RunData::add_pause(const PauseRecord& pause) {
  const bool told = std::any_of(markers_.begin(), markers_.end(), [&](const PlotMarker& m) {
    return m.kind == PlotMarker::Kind::paused && m.step == pause.step;
  });
  if (!told) {
    add_marker(PlotMarker::Kind::paused, pause.step,
               pause.disk_full ? QCoreApplication::translate("RunData", "paused: the disk is full")
                               : QCoreApplication::translate("RunData", "paused"));
  }
}

void RunData::add_report(const NonFiniteReport& report) {
  std::erase_if(reports_, [&](const NonFiniteReport& r) { return r.step == report.step; });
  reports_.push_back(report);
  ++markers_version_;
}

const NonFiniteReport* RunData::report(std::int64_t step) const {
  const auto it = std::find_if(reports_.begin(), reports_.end(),
                               [&](const NonFiniteReport& r) { return r.step == step; });
  return it == reports_.end() ? nullptr : &*it;
}

std::int64_t RunData::skips_in_row(std::int64_t step) const {
  std::int64_t count = 0, wanted = step;
  for (auto it = markers_.rbegin(); it != markers_.rend(); ++it) {
    if (is_skip(it->kind) && it->step == wanted) {
      ++count;
      --wanted;
    }
  }
  return count;
}

double RunData::rate() const {
  return seconds_.empty() || seconds_sum_ <= 0
             ? 0
             : static_cast<double>(seconds_.size()) / seconds_sum_;
}

double RunData::images_rate() const {
  return rate() * preset.data.batch_size * preset.training.gradient_accumulation;
}

double RunData::remaining_seconds() const {
  const double per_second = rate();
  return per_second > 0
             ? static_cast<double>(std::max<std::int64_t>(length_.steps - last_.step, 0)) /
                   per_second
             : -1;
}

}  // namespace mantissa::gui
