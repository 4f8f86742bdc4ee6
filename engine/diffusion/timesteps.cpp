#include "engine/diffusion/timesteps.h"

#include <string>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace mantissa {

int draw_timestep(std::uint64_t seed, std::uint64_t micro_step, std::uint64_t sample, int first,
                  int last) {
  if (first < 0 || last <= first) {
    throw Error("timesteps can't be drawn from [" + std::to_string(first) + ", " +
                std::to_string(last) + "): the range must start at 0 or above and not be empty");
  }
  const RandomKey key = random_key(seed, RandomStream::timesteps, micro_step, sample);
  return first + static_cast<int>(random_below(key, static_cast<std::uint64_t>(last - first)));
}

std::vector<int> draw_timesteps(std::uint64_t seed, std::uint64_t micro_step, int batch, int first,
                                int last) {
  std::vector<int> drawn;
  for (int i = 0; i < batch; ++i) {
    drawn.push_back(draw_timestep(seed, micro_step, static_cast<std::uint64_t>(i), first, last));
  }
  return drawn;
}

}  // namespace mantissa
