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

/// load_n for tails, load for whole registers.
template <typename S>
MANTISSA_INLINE Vec<accumulator_t<S>> load_some(const S* p, int n) {
  return n == Vec<accumulator_t<S>>::kLanes ? load(p) : load_n(p, n);
}
template <typename S>
MANTISSA_INLINE void store_some(S* p, Vec<accumulator_t<S>> x, int n) {
  if (n == Vec<accumulator_t<S>>::kLanes) {
    store(p, x);
  } else {
    store_n(p, x, n);
  }
}

}  // namespace mantissa::MANTISSA_ISA
