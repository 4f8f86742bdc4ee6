#pragma once
// Helpers shared by all norms.

#include <type_traits>

#include "kernels/check_norm.h"
#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

inline constexpr std::int64_t kMostPieces = 64;

/// Rows of one piece: enough work for a chunk, at most kMostPieces pieces a sample.
inline std::int64_t piece_rows(std::int64_t rows, std::int64_t cols) {
  return std::max(row_grain(cols), ceil_div(rows, kMostPieces));
}

/// gamma or beta as T, from either of its two dtypes.
template <typename S>
void widen_parameter(const View& v, accumulator_t<S>* to) {
  using T = accumulator_t<S>;
  if (v.dtype == statistics_dtype(v.dtype)) {
    map_elements(
        v.count(), to, [](Vec<T> x) { return x; }, static_cast<const T*>(v.data));
  } else if constexpr (!std::is_same_v<S, T>) {
    map_elements(
        v.count(), to, [](Vec<T> x) { return x; }, static_cast<const S*>(v.data));
  }
}

}  // namespace mantissa::MANTISSA_ISA
