#include "engine/diffusion/timesteps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace mantissa {

namespace {

constexpr double kLargest = 1 - 0x1p-53;

/// Uniform in [0, 1), 53 bits.
double uniform(const std::array<std::uint32_t, 4>& words) {
  const std::uint64_t bits = std::uint64_t{words[1]} << 32 | words[0];
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

LevelDistribution level_distribution(const Preset& preset) {
  using Kind = LevelDistribution::Kind;
  LevelDistribution asked;
  asked.shift = preset.training.flow_shift;
  switch (preset.training.timesteps) {
    case TimestepDistribution::uniform:
      break;
    case TimestepDistribution::mode:
      asked.kind = Kind::mode;
      break;
    case TimestepDistribution::sigmoid:
      asked.shift = 1;
      [[fallthrough]];
    case TimestepDistribution::logit_normal:
    case TimestepDistribution::shifted:
      asked.kind = Kind::logit_normal;
      break;
  }
  return asked;
}

double share_of(const LevelDistribution& d, double uniform, double normal) {
  switch (d.kind) {
    case LevelDistribution::Kind::uniform:
      return uniform;
    case LevelDistribution::Kind::logit_normal:
      return std::min(kLargest, 1 / (1 + std::exp(-(d.mean + d.deviation * normal))));
    case LevelDistribution::Kind::mode: {
      const double root = std::cos(std::numbers::pi / 2 * uniform);
      return std::clamp(1 - uniform - d.scale * (root * root - 1 + uniform), 0.0, kLargest);
    }
  }
  return uniform;
}

double draw_share(const LevelDistribution& distribution, const RandomKey& key) {
  const auto words = random_block(key, 0);
  const double normal = static_cast<double>(normal_pair(words[2], words[3])[0]);
  return share_of(distribution, uniform(words), normal);
}

std::vector<double> draw_timesteps(const Objective& objective,
                                   const LevelDistribution& distribution, double tokens,
                                   std::uint64_t seed, std::uint64_t micro_step, int batch) {
  const LevelShift shift{tokens, distribution.shift};
  std::vector<double> timesteps;
  for (int i = 0; i < batch; ++i) {
    const RandomKey key =
        random_key(seed, RandomStream::timesteps, micro_step, static_cast<std::uint64_t>(i));
    const double level = objective.trained_level(draw_share(distribution, key), shift);
    // The model reads it as FP32: the level must match that exact number.
    timesteps.push_back(static_cast<double>(static_cast<float>(objective.timestep(level))));
  }
  return timesteps;
}

std::vector<double> level_density(const Objective& objective, const LevelDistribution& distribution,
                                  double tokens, int intervals) {
  constexpr int kDraws = 20'000;  // smooth enough for a plot
  std::vector<double> density(static_cast<std::size_t>(intervals), 0.0);
  for (const double timestep : draw_timesteps(objective, distribution, tokens, 0, 0, kDraws)) {
    const double level = objective.level(timestep);
    const int interval = std::min(static_cast<int>(level * intervals), intervals - 1);
    density[static_cast<std::size_t>(interval)] += static_cast<double>(intervals) / kDraws;
  }
  return density;
}

}  // namespace mantissa
