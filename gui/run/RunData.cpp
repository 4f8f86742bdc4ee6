#include "gui/run/RunData.h"

#include <QCoreApplication>
#include <algorithm>

namespace mantissa {
namespace {

constexpr std::size_t kRateSteps = 200;
constexpr double kRateSeconds = 60;

}  // namespace

void RunData::begin(std::int64_t total_steps) {
  total_ = total_steps;
  last_ = {};
  loss.clear();
  grad_norm.clear();
  clip_norm.clear();
  loss_scale.clear();
  markers_.clear();
  ++markers_version_;
  forget_rate();
}

void RunData::append(std::span<const StepRecord> records) {
  for (const StepRecord& r : records) {
    loss.append(r.step, r.loss);
    grad_norm.append(r.step, r.grad_norm);
    clip_norm.append(r.step, r.clip_norm);
    loss_scale.append(r.step, r.loss_scale);
    if (r.skipped) {
      add_marker(PlotMarker::Kind::skipped, r.step,
                 QCoreApplication::translate("RunData", "skipped: gradients were not finite"));
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

void RunData::add_marker(PlotMarker::Kind kind, std::int64_t step, const QString& text) {
  markers_.push_back({step, kind, text});
  ++markers_version_;
}

void RunData::forget_rate() {
  seconds_.clear();
  seconds_sum_ = 0;
}

double RunData::rate() const {
  return seconds_.empty() || seconds_sum_ <= 0
             ? 0
             : static_cast<double>(seconds_.size()) / seconds_sum_;
}

double RunData::remaining_seconds() const {
  const double per_second = rate();
  return per_second > 0
             ? static_cast<double>(std::max<std::int64_t>(total_ - last_.step, 0)) / per_second
             : -1;
}

}  // namespace mantissa
