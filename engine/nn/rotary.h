#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mantissa {

/// Frequencies for positions beyond those that a model was first trained on (YaRN, arXiv
/// 2309.00071): pairs that turn fewer than `slow` times within `trained` positions are slowed down
/// by `factor`, those that turn more than `fast` times aren't, and between these it is gradual.
struct YarnScaling {
  double factor = 1, trained = 1;  ///< a factor of 1 changes nothing
  double fast = 32, slow = 1;
  bool operator==(const YarnScaling&) const = default;
};

/// One axis of a token's position, and the channels of each head that turn with it.
struct RotaryAxis {
  std::int64_t width;      ///< channels of a head, even
  double theta = 10000.0;  ///< pair i of the axis turns by position·θ^(-2i/width)
  /// NTK-aware scaling for longer axes than the model was trained with: θ becomes
  /// θ·factor^(width/(width - 2)), which divides the slowest frequency by the factor.
  double ntk_factor = 1.0;
  YarnScaling yarn{};
};

/// cos and sin of every token's angles, [tokens, pairs]: the tables of `rope` (ops.h) for one
/// sample, or for several one after another.
struct RotaryTables {
  std::int64_t tokens = 0;
  std::int64_t pairs = 0;  ///< of a head: half the width of all axes
  std::vector<float> cos, sin;
};

/// The tables of multi-axis rotary embeddings (Su et al., arXiv 2104.09864, one axis after
/// another): positions [tokens, axes] need not be whole numbers. Angles are computed in double and
/// their cosines rounded once. Throws Error if an axis is odd or has no channels, or if the
/// positions aren't whole rows.
RotaryTables rotary_tables(std::span<const RotaryAxis> axes, std::span<const double> positions);

}  // namespace mantissa
