#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/check_matmul.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/cpu/gemm_blocks.h"
#include "kernels/cpu/gemm_int8.h"
#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// Up to this many rows use dot products with the rows of a transposed B, read in place.
constexpr std::int64_t kDotRows = 8;

/// An A whose rows fall on the same cache sets is copied to another stride up to this size, else
/// packed by each chunk.
constexpr std::int64_t kRestrideLimit = std::int64_t{8} << 20;

/// out[m, n] of elements O for few rows: a [m, k] and b [n, k], vectors along k. row_of(c, thread)
/// is row c of b.
template <typename S, typename O, typename RowOf>
void dot_rows(ThreadPool& pool, const View& a, RowOf&& row_of, const View& bias, const View& out,
              std::int64_t m, std::int64_t n, std::int64_t k, const MatmulOptions& options) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  constexpr int kLanes = V::kLanes;
  const View& addend = options.addend ? options.addend : out;
  const auto dot = [&]<int kRows>(const S* x, const S* w, T* sums) {
    V even[kRows], odd[kRows];
    for (int i = 0; i < kRows; ++i) {
      even[i] = odd[i] = V(T(0));
    }
    std::int64_t j = 0;
    for (; j + 2 * kLanes <= k; j += 2 * kLanes) {
      const V w0 = load(w + j), w1 = load(w + j + kLanes);
      MANTISSA_UNROLL
      for (int i = 0; i < kRows; ++i) {
        even[i] = fma(load(x + i * a.row_stride + j), w0, even[i]);
        odd[i] = fma(load(x + i * a.row_stride + j + kLanes), w1, odd[i]);
      }
    }
    for (; j < k; j += kLanes) {
      const int rest = static_cast<int>(std::min<std::int64_t>(kLanes, k - j));
      const V w0 = load_n(w + j, rest);
      for (int i = 0; i < kRows; ++i) {
        even[i] = fma(load_n(x + i * a.row_stride + j, rest), w0, even[i]);
      }
    }
    for (int i = 0; i < kRows; ++i) {
      sums[i] = sum_lanes(even[i] + odd[i]);
    }
  };
  const std::int64_t grain = std::max<std::int64_t>(1, 262144 / (m * k));
  for_ranges(pool, n, grain, [&](std::int64_t begin, std::int64_t end, int thread) {
    for (std::int64_t c = begin; c < end; ++c) {
      const S* w = row_of(c, thread);
      T sums[kDotRows];
      for (std::int64_t i = 0; i < m; i += 4) {
        const S* x = a.as<S>() + i * a.row_stride;
        switch (std::min<std::int64_t>(4, m - i)) {
          case 1:
            dot.template operator()<1>(x, w, sums + i);
            break;
          case 2:
            dot.template operator()<2>(x, w, sums + i);
            break;
          case 3:
            dot.template operator()<3>(x, w, sums + i);
            break;
          default:
            dot.template operator()<4>(x, w, sums + i);
        }
      }
      for (std::int64_t i = 0; i < m; ++i) {
        O& y = out.as<O>()[i * out.row_stride + c];
        const O& added = addend.as<O>()[i * addend.row_stride + c];
        T value = static_cast<T>(options.alpha) * sums[i];
        if (options.beta != 0.0F) {
          value += static_cast<T>(options.beta) * static_cast<T>(added);
        }
        if (bias) {
          value += static_cast<T>(bias.as<S>()[c]);
        }
        y = O(value);
      }
    }
  });
}

/// Calls use(row_of) with the rows of B [n, k] as elements S, in place or decoded.
template <typename S, typename Use>
void with_rows(Scratch& scratch, const View& b, std::int64_t k, Use&& use) {
  if (!is_quantized(b.dtype)) {
    use([&](std::int64_t c, int) -> const S* { return b.as<S>() + c * b.row_stride; });
  } else if constexpr (!std::is_same_v<S, double>) {
    with_codes<S>(b, b.row_stride, [&](const auto& codes) {
      use([&, codes](std::int64_t c, int thread) -> const S* {
        S* row =
            static_cast<S*>(scratch.of_thread(thread, static_cast<std::size_t>(k) * sizeof(S)));
        codes.read(c, 0, k, row);
        return row;
      });
    });
  }
}

}  // namespace

/// Whether a bf16 GEMM can use pairs: rows that are read along the depth are runs of whole pairs.
template <typename S>
bool takes_pairs(const View& a, const View& b, std::int64_t k, const MatmulOptions& options) {
  if (!kMultipliesBf16 || !std::is_same_v<S, bfloat16>) {
    return false;
  }
  if (options.transpose_a && !options.transpose_b) {
    return k % 2 == 0 || !is_quantized(b.dtype);
  }
  return k % 2 == 0 && (options.transpose_a || a.row_stride % 2 == 0) &&
         (!options.transpose_b || b.row_stride % 2 == 0);
}

void CpuKernels::matmul(const View& a_given, const View& b_given, const View& bias, const View& out,
                        const MatmulOptions& options) {
  check_kernel(!is_quantized(b_given.dtype) || (!options.tf32 && options.blocks == 1), "matmul",
               "codes are not read as TF32, nor in blocks");
  const View a = options.tf32 ? rounded_tf32(a_given, 2) : a_given;
  const View b = options.tf32 ? rounded_tf32(b_given, 3) : b_given;
  check_matmul(a, read_as(b, a.dtype, "matmul"), bias, out, options);
  for (int i = 0; options.blocks > 1 && i < options.blocks; ++i) {
    const MatmulBlock block = matmul_block(a, b, out, options, i);
    MatmulOptions single = options;
    single.blocks = 1;
    single.tf32 = false;  // rounded already
    single.addend = block.addend;
    matmul(block.a, block.b, {}, block.out, single);
  }
  if (options.blocks > 1) {
    return;
  }
  const std::int64_t m = options.transpose_a ? a.cols() : a.rows();
  const std::int64_t k = options.transpose_a ? a.rows() : a.cols();
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  if (m == 0 || n == 0) {
    return;
  }
  dispatch_float(a.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    const bool sums = !std::is_same_v<S, T> && out.dtype != a.dtype;  // are not rounded
    if (options.transpose_b && !options.transpose_a && m <= kDotRows) {
      with_rows<S>(scratch_, b, k, [&](auto&& row_of) {
        sums ? dot_rows<S, T>(pool_, a, row_of, bias, out, m, n, k, options)
             : dot_rows<S, S>(pool_, a, row_of, bias, out, m, n, k, options);
      });
      return;
    }
    View rows = a;
    const bool pairs = takes_pairs<S>(a, b, k, options);
    const bool in_place = !options.transpose_a && (pairs || std::is_same_v<S, T>);
    if (in_place && same_cache_sets<S>(a) &&
        m * k * static_cast<std::int64_t>(sizeof(S)) <= kRestrideLimit) {
      rows.row_stride = k + 64 / static_cast<std::int64_t>(sizeof(S));
      rows.data = scratch_.shared(static_cast<std::size_t>(m * rows.row_stride) * sizeof(S), 1);
      for_ranges(pool_, m, row_grain(k), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) {
          const S* from = a.as<S>() + i * a.row_stride;
          std::copy(from, from + k, rows.as<S>() + i * rows.row_stride);
        }
      });
    }
    with_element<S>(pairs, [&]<typename E>() {
      constexpr int kCols = kTileCols<E>;
      const std::int64_t panel = ceil_div(k, std::int64_t{TileElement<E>::kDepth}) * kCols;
      const E* packed = nullptr;
      if (b.constant_id != 0 && n * k <= kConstantLimit && !is_quantized(b.dtype)) {
        const int layout = (options.transpose_b ? 1 : 0) + (pairs ? kPairLayouts : 0);
        const PackKey key{b.constant_id, b.data, b.row_stride, k, n, layout};
        const auto bytes = static_cast<std::size_t>(ceil_div(n, kCols) * panel) * sizeof(E);
        packed = static_cast<const E*>(constant(key, bytes, [&](void* data) {
          for (std::int64_t c = 0; c < n; c += kCols) {
            pack_panel(b.as<S>(), b.row_stride, options.transpose_b, c,
                       static_cast<int>(std::min<std::int64_t>(kCols, n - c)), k,
                       static_cast<E*>(data) + c / kCols * panel);
          }
        }));
      }
      if constexpr (!std::is_same_v<S, T>) {
        if (sums) {
          PanelGemm<S, E, T>(rows, b, bias, out, m, n, k, options).run(pool_, scratch_, packed);
          return;
        }
      }
      PanelGemm<S, E, S>(rows, b, bias, out, m, n, k, options).run(pool_, scratch_, packed);
    });
  });
}

void CpuKernels::matmul_codes(const View& a, const View& a_scale, const View& b,
                              const View& b_scale, const View& bias, const View& out,
                              const MatmulOptions& options) {
  check_matmul_codes(a, a_scale, b, b_scale, bias, out, options);
  const std::int64_t m = a.rows(), k = a.cols();
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  if (m == 0 || n == 0) {
    return;
  }
  if (is_int8(a.dtype)) {
    multiply_int8(pool_, scratch_,
                  {a, b, a_scale.as<float>(), b_scale.as<float>(), bias,
                   options.addend ? options.addend : out, out, m, n, k, options.beta,
                   options.transpose_b, a_scale.count() > 1});
    return;
  }
  // bf16 holds every FP8 number exactly, so the product of the codes is exact.
  const View wide_a(scratch_.shared(static_cast<std::size_t>(a.count()) * sizeof(bfloat16), 2),
                    DType::bf16, {m, k});
  const float one = 1.0F;
  dequantize(a, View(const_cast<float*>(&one), DType::f32, {1}), wide_a);
  MatmulOptions o = options;
  o.transpose_a = false;
  const bool by_row = a_scale.count() > 1;
  o.alpha = by_row ? 1.0F : a_scale.as<float>()[0];
  View plain_b = b;
  plain_b.scale = nullptr;
  with_element<bfloat16>(takes_pairs<bfloat16>(wide_a, b, k, o), [&]<typename E>() {
    PanelGemm<bfloat16, E, bfloat16>(wide_a, plain_b, bias, out, m, n, k, o,
                                     {by_row ? a_scale.as<float>() : nullptr, b_scale.as<float>()})
        .run(pool_, scratch_, nullptr);
  });
}

}  // namespace mantissa::MANTISSA_ISA
