#pragma once
// How often images are seen that are used once each.

#include <numeric>
#include <vector>

#include "engine/data/sets.h"

namespace mantissa::testing_support {

inline std::vector<int> item_repeats(const Dataset& data, const Preset& preset) {
  std::vector<std::size_t> items(data.items.size());
  std::iota(items.begin(), items.end(), std::size_t{0});
  return use_repeats(data, preset, items);
}

}  // namespace mantissa::testing_support
