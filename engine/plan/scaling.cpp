#include "engine/plan/scaling.h"

namespace mantissa {
namespace {

constexpr LinkSpec kLinks[] = {
    {"nvlink", "NVLink 4", 450, 10},        {"pcie5", "PCIe 5.0 ×16", 63, 15},
    {"pcie4", "PCIe 4.0 ×16", 31.5, 15},    {"400gb", "400 Gb/s network", 50, 30},
    {"200gb", "200 Gb/s network", 25, 30},  {"100gb", "100 Gb/s network", 12.5, 30},
    {"25gb", "25 Gb/s network", 3.125, 30},
};

}  // namespace

std::span<const LinkSpec> link_table() {
  return kLinks;
}

Scaling scaling(const Roofline& step, const Preset& preset, const LinkSpec& link, int ranks) {
  const int accumulation = preset.training.gradient_accumulation;
  const double micro_ms = (step.ms - step.optimizer.ms) / accumulation;
  const int rounds = (accumulation + ranks - 1) / ranks;

  Scaling result{.ranks = ranks, .micro_steps = rounds * ranks};
  const int others = ranks - 1;
  const double sent = step.gradient_bytes * others / ranks;  // in each exchange
  result.exchange_ms = (rounds + 1) * (1e3 * sent / (link.gb_per_s * 1e9 * kLinkEfficiency) +
                                       1e-3 * link.latency_us * others);
  result.ms = rounds * micro_ms + step.optimizer.ms + result.exchange_ms;
  result.images_per_second = 1e3 * result.micro_steps * preset.data.batch_size / result.ms;
  const double alone_ms = result.micro_steps * micro_ms + step.optimizer.ms;
  result.efficiency = alone_ms / (ranks * result.ms);
  return result;
}

std::vector<int> scaling_ranks(int most) {
  std::vector<int> ranks;
  for (int n = 2; n < most; n *= 2) {
    ranks.push_back(n);
  }
  ranks.push_back(most);
  return ranks;
}

}  // namespace mantissa
