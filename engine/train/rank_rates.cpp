#include "engine/train/rank_rates.h"

#include <algorithm>
#include <fmt/format.h>

namespace mantissa {
namespace {

constexpr std::int64_t kStepsBetweenLooks = 20;
constexpr double kSlow = 1.25;  ///< times the median

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::string rate_text(double images, double seconds) {
  return seconds > 0 ? fmt::format("{:.3g}", images / seconds) : "-";
}

}  // namespace

void RankRates::computed(double seconds) {
  computing_ += seconds;
  ++micro_steps_;
}

int RankRates::slow_one(const std::vector<double>& seconds) {
  // Of two processes, the median is the slower one's.
  const double usual = seconds.size() == 2 ? std::ranges::min(seconds) : median(seconds);
  const auto slowest = std::ranges::max_element(seconds);
  return *slowest > kSlow * usual ? static_cast<int>(slowest - seconds.begin()) : -1;
}

std::vector<double> RankRates::seconds_of_all() {
  return parts_.ranks.gather(micro_steps_ > 0 ? computing_ / static_cast<double>(micro_steps_) : 0);
}

void RankRates::end_step(double seconds) {
  if (parts_.ranks.alone()) {
    return;
  }
  step_seconds_ += seconds;
  if (++steps_ % kStepsBetweenLooks != 0) {
    return;
  }
  const std::vector<double> all = seconds_of_all();
  if (const int slow = slow_one(all); slow >= 0 && !named_) {
    named_ = true;
    parts_.log.line(
        2, message<"process {number} on {host} is slow: it takes {seconds} s for a micro-step, "
                   "where {usual} s are usual. All wait for it in every step">(
               slow, parts_.ranks.host(slow),
               fmt::format("{:.3g}", all[static_cast<std::size_t>(slow)]),
               fmt::format("{:.3g}", all.size() == 2 ? std::ranges::min(all) : median(all))));
  }
}

void RankRates::tell() {
  if (parts_.ranks.alone() || steps_ == 0) {
    return;
  }
  const Preset& preset = parts_.preset();
  const double batch = preset.data.batch_size;
  const std::vector<double> all = seconds_of_all();
  const std::vector<double> shares = parts_.ranks.gather(computing_ / step_seconds_);
  for (int rank = 0; rank < parts_.ranks.size(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    parts_.log.line(
        1, message<"process {number} on {host}: {rate} images/s while it computes, which it does "
                   "{share}% of the time">(rank, parts_.ranks.host(rank), rate_text(batch, all[at]),
                                           fmt::format("{:.0f}", 100 * shares[at])));
  }
  const auto milliseconds = [this](double seconds) {
    return fmt::format("{:.3g}", 1e3 * seconds / static_cast<double>(steps_));
  };
  const double images = batch * preset.training.gradient_accumulation * static_cast<double>(steps_);
  parts_.log.line(
      1, message<"{count} processes together: {rate} images/s; adding their gradients takes "
                 "{milliseconds} ms of a step of {all} ms">(
             parts_.ranks.size(), rate_text(images, step_seconds_), milliseconds(exchanging_),
             milliseconds(step_seconds_)));
}

}  // namespace mantissa
