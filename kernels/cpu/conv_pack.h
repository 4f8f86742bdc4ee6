#pragma once
// Convolution kernels packed as panels.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/cpu/codes.h"
#include "kernels/cpu/conv_patches.h"
#include "kernels/cpu/gemm_blocks.h"

namespace mantissa::MANTISSA_ISA {

/// Weight strides of a GEMM: forward (n = output channel) or backward (n = input channel).
struct WeightStrides {
  std::int64_t n, c;
  bool forward;
};

/// Rows [c0, c0 + channels) of every tap of a panel [taps·p.channels][kTileCols] of B:
/// B[(tap, c0 + c)][i] = weight[i·n_stride + c·c_stride + tap]. `weight` begins at the panel's
/// first column and at channel c0.
template <typename S, typename T>
void pack_taps(const S* weight, std::int64_t n_stride, std::int64_t c_stride, const Patches& p,
               std::int64_t c0, std::int64_t channels, int cols, T* dst) {
  constexpr int kCols = kTileCols<T>;
  constexpr std::int64_t kRowsAtOnce = 128;
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  if (taps <= kRowsAtOnce && c_stride == taps && n_stride >= channels * taps) {
    // Forward: a row of the weight is one run of (channel, tap). Transpose a piece of it for all
    // columns, then scatter its rows.
    T piece[kRowsAtOnce * kCols];
    const std::int64_t step = kRowsAtOnce / taps;
    for (std::int64_t c = 0; c < channels; c += step) {
      const std::int64_t count = std::min(step, channels - c);
      pack_panel(weight + c * taps, n_stride, true, 0, cols, count * taps, piece);
      for (std::int64_t i = 0; i < count * taps; ++i) {
        std::copy(piece + i * kCols, piece + (i + 1) * kCols,
                  dst + (i % taps * p.channels + c0 + c + i / taps) * kCols);
      }
    }
    return;
  }
  for (std::int64_t c = 0; c < channels; ++c) {
    for (std::size_t t = 0; t < p.taps.size(); ++t) {
      T* row = dst + (static_cast<std::int64_t>(t) * p.channels + c0 + c) * kCols;
      const S* from = weight + c * c_stride + p.taps[t].offset;
      for (int i = 0; i < cols; ++i) {
        row[i] = static_cast<T>(from[i * n_stride]);
      }
      std::fill(row + cols, row + kCols, T(0));
    }
  }
}

#if defined(__AVX512BF16__)
/// Where lane j of v[3·j + p] lies: in a register of the first 64 of 96 values, or in the last 32
/// with the lanes that are already there before them.
struct ThirdsOrder {
  alignas(64) std::uint16_t first[3][32], last[3][32];
};
inline constexpr ThirdsOrder kThirds = [] {
  ThirdsOrder order{};
  for (int p = 0; p < 3; ++p) {
    for (int j = 0; j < 32; ++j) {
      const int at = 3 * j + p;
      order.first[p][j] = static_cast<std::uint16_t>(at < 64 ? at : 0);
      order.last[p][j] = static_cast<std::uint16_t>(at < 64 ? j : at - 32);
    }
  }
  return order;
}();

/// 96 neighbours v as three registers: thirds[p] is v[3·j + p].
MANTISSA_INLINE void split_by_three(const __m512i (&v)[3], __m512i (&thirds)[3]) {
  MANTISSA_UNROLL
  for (int p = 0; p < 3; ++p) {
    const __m512i most = _mm512_permutex2var_epi16(v[0], _mm512_load_si512(kThirds.first[p]), v[1]);
    thirds[p] = _mm512_permutex2var_epi16(most, _mm512_load_si512(kThirds.last[p]), v[2]);
  }
}

/// v[9·i + t] of 288 neighbours, i < 32, for each tap's t = offset to dst + its number · stride.
inline void split_by_nine(const bfloat16* v, const std::vector<Tap>& taps, std::int64_t stride,
                          bfloat16* dst) {
  __m512i thirds[3][3], ninths[9];
  MANTISSA_UNROLL
  for (int g = 0; g < 3; ++g) {
    const __m512i* from = reinterpret_cast<const __m512i*>(v + 96 * g);
    __m512i third[3];
    split_by_three(
        {_mm512_loadu_si512(from), _mm512_loadu_si512(from + 1), _mm512_loadu_si512(from + 2)},
        third);
    MANTISSA_UNROLL
    for (int p = 0; p < 3; ++p) {
      thirds[p][g] = third[p];
      prefetch(v + 288 + 96 * g + 32 * p);
    }
  }
  MANTISSA_UNROLL
  for (int p = 0; p < 3; ++p) {
    __m512i third[3];
    split_by_three(thirds[p], third);
    MANTISSA_UNROLL
    for (int q = 0; q < 3; ++q) {
      ninths[3 * q + p] = third[q];
    }
  }
  for (std::size_t t = 0; t < taps.size(); ++t) {
    _mm512_storeu_si512(dst + static_cast<std::int64_t>(t) * stride, ninths[taps[t].offset]);
  }
}

/// Packs pairs of channels, c0 and `channels` even: a run of channels is first brought from
/// [channel][tap] to [tap][channel], for all columns or, where columns lie next to each other, for
/// the run's rows.
inline void pack_taps(const bfloat16* weight, std::int64_t n_stride, std::int64_t c_stride,
                      const Patches& p, std::int64_t c0, std::int64_t channels, int cols,
                      Bf16Pair* dst) {
  constexpr int kCols = kTileCols<Bf16Pair>;
  constexpr std::int64_t kRun = 32;
  static_assert(kRun == kCols);
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  const bool columns_adjoin = n_stride < c_stride;
  const std::int64_t step = columns_adjoin ? n_stride : c_stride;
  std::vector<bfloat16> piece(static_cast<std::size_t>(taps * kRun * kRun));
  for (std::int64_t c = 0; c < channels; c += kRun) {
    const std::int64_t count = std::min(kRun, channels - c);
    const std::int64_t outer = columns_adjoin ? count : cols, inner = columns_adjoin ? cols : count;
    for (std::int64_t i = 0; i < outer; ++i) {
      const bfloat16* from =
          columns_adjoin ? weight + (c + i) * c_stride : weight + i * n_stride + c * c_stride;
      bfloat16* to = piece.data() + i * kRun;
      if (step == 9 && inner == kRun) {
        split_by_nine(from, p.taps, outer * kRun, to);
        continue;
      }
      for (std::int64_t t = 0; t < taps; ++t, to += outer * kRun) {
        const bfloat16* tap = from + p.taps[static_cast<std::size_t>(t)].offset;
        for (std::int64_t j = 0; j < inner; ++j) {
          to[j] = tap[j * step];
        }
      }
    }
    for (std::int64_t t = 0; t < taps; ++t) {
      pack_panel(piece.data() + t * outer * kRun, kRun, !columns_adjoin, 0, cols, count,
                 dst + (t * p.channels + c0 + c) / 2 * kCols);
    }
  }
}
#endif

/// Packs columns [column, column + cols) of B for all taps and channels.
template <typename E>
using PackTaps = std::function<void(std::int64_t column, int cols, E* panel)>;

/// Packs codes: 32 channels at a time are decoded, then packed like a plain weight. A weight's
/// rows are its output channels: the columns of a forward GEMM, the channels of a backward one.
template <typename C, typename E>
void pack_coded_taps(const C& codes, const View& weight, bool forward, const Patches& p,
                     std::int64_t column, int cols, E* panel) {
  using W = packed_from_t<E>;
  constexpr std::int64_t kRun = 32;
  const std::int64_t area = weight.shape[2] * weight.shape[3];
  std::vector<W> piece(static_cast<std::size_t>(kRun * area * cols));
  for (std::int64_t c = 0; c < p.channels; c += kRun) {
    const std::int64_t count = std::min(kRun, p.channels - c);
    const std::int64_t rows = forward ? cols : count, width = (forward ? count : cols) * area;
    for (std::int64_t i = 0; i < rows; ++i) {
      codes.read(forward ? column + i : c + i, (forward ? c : column) * area, width,
                 piece.data() + i * width);
    }
    pack_taps(static_cast<const W*>(piece.data()), forward ? width : area, forward ? area : width,
              p, c, count, cols, panel);
  }
}

/// Packs whole panels of a weight of elements S.
template <typename S, typename E>
PackTaps<E> packing_of(const Patches& p, const View& weight, const WeightStrides& strides) {
  PackTaps<E> pack;
  if (!is_quantized(weight.dtype)) {
    pack = [&](std::int64_t column, int cols, E* panel) {
      pack_taps(weight.as<S>() + column * strides.n, strides.n, strides.c, p, 0, p.channels, cols,
                panel);
    };
  } else if constexpr (!std::is_same_v<S, double>) {
    with_codes<S>(weight, weight.count() / weight.shape[0], [&](const auto& codes) {
      pack = [&, codes](std::int64_t column, int cols, E* panel) {
        pack_coded_taps(codes, weight, strides.forward, p, column, cols, panel);
      };
    });
  }
  return pack;
}

/// Calls use(packed, pack) with the weight's panels, made of the elements E that this GEMM uses,
/// and the function that makes them. Panels are cached by keep(key, bytes, make) if the weight is a
/// small constant, else null. Codes are not cached: they are there to save memory.
template <typename S, typename Keep, typename Use>
void with_packed_weight(Keep&& keep, const Patches& p, const View& weight,
                        const WeightStrides& strides, std::int64_t n, int layout, Use&& use) {
  const std::int64_t k = static_cast<std::int64_t>(p.taps.size()) * p.channels;
  const auto with = [&]<typename E>() {
    constexpr int kCols = kTileCols<E>;
    const std::int64_t panel = k / TileElement<E>::kDepth * kCols;
    const PackTaps<E> pack = packing_of<S, E>(p, weight, strides);
    const E* packed = nullptr;
    if (weight.constant_id != 0 && n * k <= kConstantLimit && !is_quantized(weight.dtype)) {
      const int pairs = std::is_same_v<E, Bf16Pair> ? kPairLayouts : 0;
      const PackKey key{weight.constant_id, weight.data, 0, k, n, layout + pairs};
      const auto bytes = static_cast<std::size_t>(ceil_div(n, kCols) * panel) * sizeof(E);
      packed = static_cast<const E*>(keep(key, bytes, [&](void* data) {
        for (std::int64_t c = 0; c < n; c += kCols) {
          pack(c, static_cast<int>(std::min<std::int64_t>(kCols, n - c)),
               static_cast<E*>(data) + c / kCols * panel);
        }
      }));
    }
    use(packed, pack);
  };
  with_element<S>(takes_pairs<S>(p), with);
}

}  // namespace mantissa::MANTISSA_ISA
