#pragma once
// Convolution kernels packed as panels.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/cpu/conv_patches.h"
#include "kernels/cpu/gemm.h"

namespace mantissa::MANTISSA_ISA {

/// Weight strides of a GEMM: forward (n = output channel) or backward (n = input channel).
struct WeightStrides {
  std::int64_t n, c;
};

/// Panel [taps·channels][kTileCols] of B: B[(tap, c)][n] = weight[n·n_stride + c·c_stride + tap].
template <typename S, typename T>
void pack_taps(const S* weight, std::int64_t n_stride, std::int64_t c_stride, const Patches& p,
               std::int64_t n, int cols, T* dst) {
  constexpr int kCols = kTileCols<T>;
  constexpr std::int64_t kRowsAtOnce = 128;
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  if (taps <= kRowsAtOnce && c_stride == taps && n_stride == p.channels * taps) {
    // Forward: a row of the weight is one run of (channel, tap). Transpose a piece of it for all
    // columns, then scatter its rows.
    T piece[kRowsAtOnce * kCols];
    const std::int64_t step = kRowsAtOnce / taps;
    for (std::int64_t c = 0; c < p.channels; c += step) {
      const std::int64_t count = std::min(step, p.channels - c);
      pack_panel(weight + c * taps, n_stride, true, n, cols, count * taps, piece);
      for (std::int64_t i = 0; i < count * taps; ++i) {
        std::copy(piece + i * kCols, piece + (i + 1) * kCols,
                  dst + (i % taps * p.channels + c + i / taps) * kCols);
      }
    }
    return;
  }
  for (std::int64_t c = 0; c < p.channels; ++c) {
    for (std::size_t t = 0; t < p.taps.size(); ++t) {
      T* row = dst + (static_cast<std::int64_t>(t) * p.channels + c) * kCols;
      const S* from = weight + n * n_stride + c * c_stride + p.taps[t].offset;
      for (int i = 0; i < cols; ++i) {
        row[i] = static_cast<T>(from[i * n_stride]);
      }
      std::fill(row + cols, row + kCols, T(0));
    }
  }
}

#if defined(__AVX512BF16__)
/// The same for pairs of channels: a run of channels is first brought from [channel][tap] to
/// [tap][channel], for all columns or, where columns lie next to each other, for the pair's rows.
inline void pack_taps(const bfloat16* weight, std::int64_t n_stride, std::int64_t c_stride,
                      const Patches& p, std::int64_t n, int cols, Bf16Pair* dst) {
  constexpr int kCols = kTileCols<Bf16Pair>;
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  const bool columns_adjoin = n_stride < c_stride;
  const std::int64_t run = columns_adjoin ? 2 : 32;
  std::vector<bfloat16> piece(static_cast<std::size_t>(taps * run * kCols));
  for (std::int64_t c = 0; c < p.channels; c += run) {
    const std::int64_t count = std::min(run, p.channels - c);
    const std::int64_t outer = columns_adjoin ? count : cols, inner = columns_adjoin ? cols : count;
    const std::int64_t width = columns_adjoin ? kCols : run;
    for (std::int64_t i = 0; i < outer; ++i) {
      const bfloat16* from = columns_adjoin ? weight + (c + i) * c_stride + n * n_stride
                                            : weight + (n + i) * n_stride + c * c_stride;
      const std::int64_t step = columns_adjoin ? n_stride : c_stride;
      for (std::int64_t t = 0; t < taps; ++t) {
        bfloat16* to = piece.data() + (t * outer + i) * width;
        const bfloat16* tap = from + p.taps[static_cast<std::size_t>(t)].offset;
        for (std::int64_t j = 0; j < inner; ++j) {
          to[j] = tap[j * step];
        }
      }
    }
    for (std::int64_t t = 0; t < taps; ++t) {
      pack_panel(piece.data() + t * outer * width, width, !columns_adjoin, 0, cols, count,
                 dst + (t * p.channels + c) / 2 * kCols);
    }
  }
}
#endif

/// Calls use(packed) with the weight's panels, made of the elements E that this GEMM uses: cached
/// by keep(key, bytes, make) if the weight is a small constant, else null.
template <typename S, typename Keep, typename Use>
void with_packed_weight(Keep&& keep, const Patches& p, const View& weight,
                        const WeightStrides& strides, std::int64_t n, int layout, Use&& use) {
  const std::int64_t k = static_cast<std::int64_t>(p.taps.size()) * p.channels;
  const auto with = [&]<typename E>() {
    constexpr int kCols = kTileCols<E>;
    const std::int64_t panel = k / TileElement<E>::kDepth * kCols;
    const E* packed = nullptr;
    if (weight.constant_id != 0 && n * k <= kConstantLimit) {
      const int pairs = std::is_same_v<E, Bf16Pair> ? kPairLayouts : 0;
      const PackKey key{weight.constant_id, weight.data, 0, k, n, layout + pairs};
      const auto bytes = static_cast<std::size_t>(ceil_div(n, kCols) * panel) * sizeof(E);
      packed = static_cast<const E*>(keep(key, bytes, [&](void* data) {
        for (std::int64_t c = 0; c < n; c += kCols) {
          pack_taps(weight.as<S>(), strides.n, strides.c, p, c,
                    static_cast<int>(std::min<std::int64_t>(kCols, n - c)),
                    static_cast<E*>(data) + c / kCols * panel);
        }
      }));
    }
    use(packed);
  };
  with_element<S>(takes_pairs<S>(p), with);
}

}  // namespace mantissa::MANTISSA_ISA
