#pragma once

#include <span>

namespace mantissa {

/// Multiplies each run of `group` values, a power of four that divides their number, by the
/// orthogonal and symmetric matrix H ⊗ H ⊗ … of
///
///     H = ½ [ 1 1 1 -1;  1 1 -1 1;  1 -1 1 1;  -1 1 1 1 ],
///
/// the rotation of ConvRot, which spreads a row's large values before it is quantised. It is its
/// own inverse.
void rotate_groups(std::span<float> values, int group);

}  // namespace mantissa
