#pragma once

#include <array>
#include <cstddef>
#include <numeric>

#include "engine/io/config_fields.h"

namespace mantissa {

/// Throws Error unless the channels of a head that turn with each axis are pairs and add up to the
/// head's. `key` names their field, `head` that of the head.
template <std::size_t kCount>
void check_rotary_axes(const ConfigFields& f, const char* key, const std::array<int, kCount>& axes,
                       int head_dim, const char* head = "attention_head_dim") {
  for (const int axis : axes) {
    if (axis % 2 != 0) {
      f.fail(key, message<"holds {found}; channels turn in pairs">(axis));
    }
  }
  const int sum = std::accumulate(axes.begin(), axes.end(), 0);
  if (sum != head_dim) {
    f.fail(key,
           message<"adds up to {sum}; it must be {field}, which is {width}">(sum, head, head_dim));
  }
}

/// Equal shares of a head, each of whole pairs; the first axes take what is left.
template <std::size_t kCount>
std::array<int, kCount> equal_rotary_axes(int head_dim) {
  constexpr int kAxes = static_cast<int>(kCount);
  const int pairs = head_dim / 2;
  std::array<int, kCount> axes{};
  for (int i = 0; i < kAxes; ++i) {
    axes[static_cast<std::size_t>(i)] = 2 * (pairs / kAxes + (i < pairs % kAxes ? 1 : 0));
  }
  return axes;
}

}  // namespace mantissa
