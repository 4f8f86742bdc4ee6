#include "engine/train/rank_rates.h"

#include <algorithm>
#include <fmt/format.h>

namespace mantissa {
namespace {

constexpr std::int64_t kStepsBetweenLooks = 20;
constexpr std::chrono::seconds kBetweenNotes{15};
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
  for (Measured* to : {&all_, &recent_}) {
    to->computing += seconds;
    ++to->micro_steps;
  }
}

int RankRates::slow_one(const std::vector<double>& seconds) {
  // The median of two processes is the slower one's.
  const double usual = seconds.size() == 2 ? std::ranges::min(seconds) : median(seconds);
  const auto slowest = std::ranges::max_element(seconds);
  return *slowest > kSlow * usual ? static_cast<int>(slowest - seconds.begin()) : -1;
}

void RankRates::end_step(const StepRecord& step) {
  if (parts_.ranks.alone()) {
    return;
  }
  for (Measured* to : {&all_, &recent_}) {
    to->step_seconds += step.seconds;
    ++to->steps;
  }
  if (all_.steps % kStepsBetweenLooks != 0) {
    return;
  }
  const std::vector<double> all = parts_.ranks.gather(all_.each());
  name_slow_one(all);
  note_rates(step.step, slow_one(all));
  recent_ = {};
}

void RankRates::name_slow_one(const std::vector<double>& seconds) {
  if (const int slow = slow_one(seconds); slow >= 0 && !named_) {
    named_ = true;
    parts_.log.line(
        LogLevel::warning,
        message<"{process} is slow: it takes {seconds} s for a micro-step, where {usual} s are "
                "usual. All wait for it in every step">(
            parts_.ranks.name_and_host(slow),
            fmt::format("{:.3g}", seconds[static_cast<std::size_t>(slow)]),
            fmt::format("{:.3g}",
                        seconds.size() == 2 ? std::ranges::min(seconds) : median(seconds))));
  }
}

/// Gathered at every check; the log has them less often.
void RankRates::note_rates(std::int64_t step, int slow) {
  const std::vector<double> each = parts_.ranks.gather(recent_.each());
  const std::vector<double> shares = parts_.ranks.gather(recent_.computing / recent_.step_seconds);
  const auto now = std::chrono::steady_clock::now();
  if (noted_ && now - *noted_ < kBetweenNotes) {
    return;
  }
  noted_ = now;
  const Preset& preset = parts_.preset();
  const double batch = preset.data.batch_size;
  RunRates rates;
  rates.step = step;
  rates.images_per_second = batch * preset.training.gradient_accumulation *
                            static_cast<double>(recent_.steps) / recent_.step_seconds;
  for (int rank = 0; rank < parts_.ranks.size(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const std::string card = parts_.ranks.card(rank);
    rates.processes.push_back({rank, card.empty() ? parts_.ranks.host(rank) : card,
                               each[at] > 0 ? batch / each[at] : 0, shares[at], rank == slow});
  }
  parts_.log.rates(rates);
}

void RankRates::tell() {
  if (parts_.ranks.alone() || all_.steps == 0) {
    return;
  }
  const Preset& preset = parts_.preset();
  const double batch = preset.data.batch_size;
  const std::vector<double> all = parts_.ranks.gather(all_.each());
  const std::vector<double> shares = parts_.ranks.gather(all_.computing / all_.step_seconds);
  for (int rank = 0; rank < parts_.ranks.size(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    parts_.log.line(
        LogLevel::info,
        message<"{process}: {rate} images/s while it computes, which it does {share}% of the time">(
            parts_.ranks.name_and_host(rank), rate_text(batch, all[at]),
            fmt::format("{:.0f}", 100 * shares[at])));
  }
  const auto milliseconds = [this](double seconds) {
    return fmt::format("{:.3g}", 1e3 * seconds / static_cast<double>(all_.steps));
  };
  const double images =
      batch * preset.training.gradient_accumulation * static_cast<double>(all_.steps);
  parts_.log.line(
      LogLevel::info,
      message<"{processes} together: {rate} images/s; adding their gradients takes {milliseconds} "
              "ms of a step of {all} ms">(parts_.ranks.all(), rate_text(images, all_.step_seconds),
                                          milliseconds(exchanging_),
                                          milliseconds(all_.step_seconds)));
}

}  // namespace mantissa
