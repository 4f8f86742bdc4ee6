#pragma once
// defines: draw_timestep, draw_timesteps

#include <cstdint>
#include <vector>

namespace mantissa {

/// Uniform integer in [first, last), a pure function of (seed, micro_step, sample).
/// Throws Error when the range is empty.
int draw_timestep(std::uint64_t seed, std::uint64_t micro_step, std::uint64_t sample, int first,
                  int last);

/// One timestep per sample of a batch.
std::vector<int> draw_timesteps(std::uint64_t seed, std::uint64_t micro_step, int batch, int first,
                                int last);

}  // namespace mantissa
