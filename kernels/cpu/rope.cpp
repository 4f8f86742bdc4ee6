#include <utility>

#include "kernels/check_rope.h"
#include "kernels/cpu/backend.h"

// Rotary position embedding (Su et al., arXiv 2104.09864). Each result is
// fma(own, cos, partner·(±sin)) in both layouts, on the card too: the same bits everywhere.

namespace mantissa::MANTISSA_ISA {

namespace {

/// cos of every channel, then the factors of its partner, for heads of interleaved pairs.
template <typename T>
void spread_angles(const T* cos, const T* sin, std::int64_t half, T direction, T* spread) {
  T* partner = spread + 2 * half;
  for (std::int64_t i = 0; i < half; ++i) {
    spread[2 * i] = spread[2 * i + 1] = cos[i];
    partner[2 * i] = -direction * sin[i];
    partner[2 * i + 1] = direction * sin[i];
  }
}

template <typename S, typename T>
void rotate_interleaved(const S* from, const T* spread, std::int64_t width, S* to) {
  map_elements(
      width, to, [](Vec<T> x, Vec<T> c, Vec<T> s) { return fma(x, c, swap_pairs(x) * s); }, from,
      spread, spread + width);
}

/// Of pairs of halves: cos of either channel, and sin for what it takes of the other.
template <typename T>
struct HalfAngles {
  const T *cos_a, *cos_b, *sin_a, *sin_b;
};

template <typename S, typename T>
void rotate_halves(const S* from, const HalfAngles<T>& angles, std::int64_t half, T direction,
                   S* to) {
  using V = Vec<T>;
  for (std::int64_t i = 0; i < half; i += V::kLanes) {
    const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, half - i));
    const V a = load_some(from + i, n), b = load_some(from + half + i, n);
    const V of_b = V(-direction) * load_some(angles.sin_a + i, n);
    const V of_a = V(direction) * load_some(angles.sin_b + i, n);
    store_some(to + i, fma(a, load_some(angles.cos_a + i, n), b * of_b), n);
    store_some(to + half + i, fma(b, load_some(angles.cos_b + i, n), a * of_a), n);
  }
}

}  // namespace

void CpuKernels::rope(const View& x, const View& cos, const View& sin, const View& out,
                      const RopeOptions& options) {
  const Rotation r = check_rope(x, cos, sin, out, options);
  const std::int64_t width = 2 * r.half;
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    const T direction = options.inverse ? T(-1) : T(1);
    for_ranges(pool_, r.rows, row_grain(x.cols()),
               [&](std::int64_t begin, std::int64_t end, int thread) {
                 T* spread = static_cast<T*>(
                     scratch_.of_thread(thread, static_cast<std::size_t>(2 * width) * sizeof(T)));
                 for (std::int64_t row = begin; row < end; ++row) {
                   const S* from = x.as<S>() + row * x.row_stride;
                   S* to = out.as<S>() + row * out.row_stride;
                   const T* c = cos.as<T>() + r.table_row(row);
                   const T* s = sin.as<T>() + r.table_row(row);
                   HalfAngles<T> halves{c, c + r.second(), s, s + r.second()};
                   if (options.inverse) {
                     std::swap(halves.sin_a, halves.sin_b);
                   }
                   if (options.pairs == RopePairs::interleaved) {
                     spread_angles(c, s, r.half, direction, spread);
                   }
                   for (std::int64_t head = 0; head < r.heads; ++head, from += width, to += width) {
                     if (options.pairs == RopePairs::interleaved) {
                       rotate_interleaved(from, static_cast<const T*>(spread), width, to);
                     } else {
                       rotate_halves(from, halves, r.half, direction, to);
                     }
                   }
                 }
               });
  });
}

}  // namespace mantissa::MANTISSA_ISA
