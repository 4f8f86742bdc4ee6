#include <cmath>

#include "kernels/check_rope.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"

// Rotary position embedding (Su et al., arXiv 2104.09864). Each result is
// fma(own, cos, partner·(±sin)), as on the CPU.

namespace mantissa::cuda {

namespace {

/// Rotation (check_rope.h) with an index wide enough for it.
template <typename Index>
struct RotationOf {
  Index rows, tokens, heads, half;
  bool shared;
};

/// Which angles the channels of a pair have.
enum class AnglesOf { pair, each };

/// The tables [rows, half or 2·half], and 1 or -1: forward or backward.
template <typename T>
struct Angles {
  const T *cos, *sin;
  T direction;
};

/// One thread rotates kWidth neighbouring pairs of a head: in packs, or one pair by single
/// elements.
template <RopePairs kPairs, AnglesOf kAngles, int kWidth, typename Index, typename S>
__global__ void __launch_bounds__(kThreads)
    rope_kernel(RotationOf<Index> r, Angles<accumulator_t<S>> angles, Rows<const S> x,
                Rows<S> out) {
  using T = accumulator_t<S>;
  constexpr bool kHalves = kPairs == RopePairs::halves;
  const Index packs = r.half / kWidth;  // of a head
  for (PackWalk<Index> at(r.heads * packs); at.row < r.rows; at.next()) {
    const Index head = at.pack / packs, first = (at.pack - head * packs) * kWidth;
    const auto table = static_cast<std::int64_t>(r.shared ? at.row % r.tokens : at.row) *
                           (kAngles == AnglesOf::each ? 2 * r.half : r.half) +
                       first;
    const std::int64_t column =
        static_cast<std::int64_t>(head) * (2 * r.half) + (kHalves ? 1 : 2) * first;
    T a[kWidth], b[kWidth], c[kWidth], s[kWidth], c_of_b[kWidth], s_of_b[kWidth];
    load_values<kWidth>(angles.cos + table, c);
    load_values<kWidth>(angles.sin + table, s);
    if constexpr (kAngles == AnglesOf::each) {
      load_values<kWidth>(angles.cos + table + r.half, c_of_b);
      load_values<kWidth>(angles.sin + table + r.half, s_of_b);
    }
    const S* from = x.at(at.row, column);
    S* to = out.at(at.row, column);
    if constexpr (kHalves) {
      load_lanes<kWidth>(from, a);
      load_lanes<kWidth>(from + r.half, b);
    } else if constexpr (kWidth > 1) {
      T pairs[2 * kWidth];
      load_lanes<2 * kWidth>(from, pairs);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        a[i] = pairs[2 * i];
        b[i] = pairs[2 * i + 1];
      }
    } else {
      a[0] = load(from);
      b[0] = load(from + 1);
    }
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      T of_b = s[i], of_a = s[i], own = c[i];
      if constexpr (kAngles == AnglesOf::each) {
        (angles.direction > 0 ? of_a : of_b) = s_of_b[i];
        own = c_of_b[i];
      }
      const T turned = std::fma(a[i], c[i], b[i] * (-angles.direction * of_b));
      b[i] = std::fma(b[i], own, a[i] * (angles.direction * of_a));
      a[i] = turned;
    }
    if constexpr (kHalves) {
      store_lanes<kWidth>(to, a);
      store_lanes<kWidth>(to + r.half, b);
    } else if constexpr (kWidth > 1) {
      T pairs[2 * kWidth];
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        pairs[2 * i] = a[i];
        pairs[2 * i + 1] = b[i];
      }
      store_lanes<2 * kWidth>(to, pairs);
    } else {
      store(to, a[0]);
      store(to + 1, b[0]);
    }
  }
}

template <RopePairs kPairs, AnglesOf kAngles, typename S>
void run_rope(cudaStream_t stream, const Rotation& r, const Angles<accumulator_t<S>>& angles,
              Rows<const S> x, Rows<S> out) {
  const auto with = [&]<int kWidth, typename Index>() {
    const RotationOf<Index> narrow{static_cast<Index>(r.rows), static_cast<Index>(r.tokens),
                                   static_cast<Index>(r.heads), static_cast<Index>(r.half),
                                   r.shared};
    launch<rope_kernel<kPairs, kAngles, kWidth, Index, S>>(
        stream, grid_for(r.rows * r.heads * (r.half / kWidth), kThreads, kMaxBlocks), narrow,
        angles, x, out);
  };
  // 16 bytes of x in one access: a pack of either half, or of whole pairs.
  constexpr int kWide = kPairs == RopePairs::halves ? kPack<S> : kPack<S> / 2;
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  if (r.half % kWide == 0 && takes_packs(x, kPack<S>) && takes_packs(out, kPack<S>) &&
      aligned(angles.cos) && aligned(angles.sin) &&
      std::max(r.rows, 2 * r.heads * r.half) < kNarrowWalk) {
    with.template operator()<kWide, std::uint32_t>();
  } else {
    with.template operator()<1, std::int64_t>();
  }
}

}  // namespace

void CudaKernels::rope(const View& x, const View& cos, const View& sin, const View& out,
                       const RopeOptions& options) {
  const Rotation r = check_rope(x, cos, sin, out, options);
  if (x.count() == 0) {
    return;
  }
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    const Angles<T> angles{cos.as<const T>(), sin.as<const T>(), options.inverse ? T(-1) : T(1)};
    const auto from = rows_of<const S>(x);
    const auto to = rows_of<S>(out);
    if (r.own_angles) {
      run_rope<RopePairs::halves, AnglesOf::each, S>(stream(), r, angles, from, to);
    } else if (options.pairs == RopePairs::halves) {
      run_rope<RopePairs::halves, AnglesOf::pair, S>(stream(), r, angles, from, to);
    } else {
      run_rope<RopePairs::interleaved, AnglesOf::pair, S>(stream(), r, angles, from, to);
    }
  });
}

}  // namespace mantissa::cuda
