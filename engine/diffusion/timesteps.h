#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/diffusion/objective.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The distribution of training noise levels, as a density over the fraction u in [0, 1) of the
/// trained levels (arXiv 2403.03206, 3.1).
struct LevelDistribution {
  enum class Kind {
    uniform,
    logit_normal,  ///< u = sigmoid(mean + deviation·normal): the middle more often than the ends
    mode,          ///< u = 1 − v − scale·(cos²(πv/2) − 1 + v), v uniform
  };
  Kind kind = Kind::uniform;
  double mean = 0, deviation = 1;  ///< logit_normal
  double scale = 1.29;             ///< mode
  std::optional<double> shift{};   ///< of a flow's levels, overriding its schedule's
};
/// The distribution set by training.timesteps and training.flow_shift. logit_normal and mode are
/// SD3's, with its authors' parameters; sigmoid and shifted are sd-scripts' "sigmoid", which has no
/// shift, and "shift".
LevelDistribution level_distribution(const Preset& preset);

/// The fraction for a uniform and a normal draw.
double share_of(const LevelDistribution& distribution, double uniform, double normal);
/// The fraction drawn with this key: a pure function of both.
double draw_share(const LevelDistribution& distribution, const RandomKey& key);

/// One timestep input per sample of a batch, for images of this many tokens; a pure function of
/// (seed, micro_step).
std::vector<double> draw_timesteps(const Objective& objective,
                                   const LevelDistribution& distribution, double tokens,
                                   std::uint64_t seed, std::uint64_t micro_step, int batch);

/// How densely training covers the noise levels: the density over `intervals` equal parts of [0,
/// 1], whose mean is 1, counted in steps as draw_timesteps draws them.
std::vector<double> level_density(const Objective& objective, const LevelDistribution& distribution,
                                  double tokens, int intervals);

}  // namespace mantissa
