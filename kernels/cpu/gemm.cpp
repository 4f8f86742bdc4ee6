#include "kernels/cpu/gemm.h"

#include <functional>
#include <type_traits>

#include "kernels/check_matmul.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {

GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int tile_cols, bool packed_a) {
  // About 24 chunks keep 16 threads busy; below 2 MFLOP a chunk costs more to dispatch than to run.
  const double flops =
      2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  const double most = 1.5 * std::max(flops / 24.0, 2e6);
  GemmPlan plan{std::min<std::int64_t>(kBlockRows, m), 20 * tile_cols};
  const auto shrink = [&](std::int64_t least_rows, std::int64_t least_cols) {
    const auto too_large = [&] {
      return 2.0 * static_cast<double>(plan.rows) * static_cast<double>(std::min(plan.cols, n)) *
                 static_cast<double>(k) >
             most;
    };
    while (too_large() && plan.cols >= 2 * least_cols) {
      plan.cols /= 2;
    }
    while (too_large() && plan.rows >= 2 * least_rows) {
      plan.rows = ceil_div(plan.rows, 2);
    }
  };
  // Tall blocks reuse B's panels, wide ones A's rows: reduce width first, but not entirely, and
  // less if each chunk packs its own A.
  shrink(kBlockRows / 2, (packed_a ? 10 : 2) * tile_cols);
  shrink(2 * kTileRows, tile_cols);
  // Even blocks: 1024 rows are 11 of 94, not 10 of 96 and one of 64.
  plan.rows = ceil_div(m, ceil_div(m, plan.rows));
  plan.cols = ceil_div(ceil_div(n, ceil_div(n, plan.cols)), tile_cols) * tile_cols;
  return plan;
}

std::int64_t columns_at_once(GemmPlan& plan, std::int64_t panel_bytes, int tile_cols, int threads) {
  constexpr std::int64_t kChunksWide = 4;
  const std::int64_t panels = std::max<std::int64_t>(1, kPackScratch * threads / panel_bytes);
  const std::int64_t chunk = std::max<std::int64_t>(1, panels / kChunksWide) * tile_cols;
  plan.cols = std::min(plan.cols, chunk);
  return std::max<std::int64_t>(1, panels * tile_cols / plan.cols) * plan.cols;
}

namespace {

/// Up to this many rows use dot products with the rows of a transposed B, read in place.
constexpr std::int64_t kDotRows = 8;

/// An A whose rows fall on the same cache sets is copied to another stride up to this size, else
/// packed by each chunk.
constexpr std::int64_t kRestrideLimit = std::int64_t{8} << 20;

/// Whether rows lie a multiple of a page apart: 12 of them then evict each other.
template <typename T>
bool same_cache_sets(const View& a) {
  return a.row_stride * static_cast<std::int64_t>(sizeof(T)) % 4096 == 0;
}

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

/// Whether a bf16 GEMM can use pairs: A by rows, every row a run of whole pairs.
template <typename S>
bool takes_pairs(const View& a, const View& b, std::int64_t k, const MatmulOptions& options) {
  return kMultipliesBf16 && std::is_same_v<S, bfloat16> && !options.transpose_a && k % 2 == 0 &&
         a.row_stride % 2 == 0 && (!options.transpose_b || b.row_stride % 2 == 0);
}

/// Packs columns [column, column + cols) of B at full depth: see pack_panel.
template <typename E>
using PackB = std::function<void(std::int64_t column, int cols, E* panel)>;

/// Packs B as elements S. Codes, scaled by b.scale, are rounded to S first.
template <typename S, typename E>
static PackB<E> packing_of(const View& b, bool transposed, std::int64_t k) {
  PackB<E> pack;
  if (!is_quantized(b.dtype)) {
    pack = [&b, transposed, k](std::int64_t column, int cols, E* panel) {
      pack_panel(b.as<S>(), b.row_stride, transposed, column, cols, k, panel);
    };
  } else if constexpr (!std::is_same_v<S, double>) {
    with_codes<S>(b, b.row_stride, [&](const auto& codes) {
      pack = [codes, transposed, k](std::int64_t column, int cols, E* panel) {
        pack_codes(codes, transposed, column, cols, k, panel);
      };
    });
  }
  return pack;
}

/// The general GEMM of elements S, with panels of B of elements E, into elements O: S, or fp32
/// without a bias. Bf16Pair needs A by rows and an even k.
template <typename S, typename E, typename O>
static void matmul_panels(ThreadPool& pool, Scratch& scratch, const E* constant, const View& a,
                          const View& b, const View& bias, const View& out, std::int64_t m,
                          std::int64_t n, std::int64_t k, const MatmulOptions& options,
                          const float* column_scale = nullptr) {
  const PackB<E> pack_b = packing_of<S, E>(b, options.transpose_b, k);
  using T = accumulator_t<S>;
  constexpr bool kAsIs = std::is_same_v<S, T>;    // A and B are multiplied in place
  constexpr bool kDirect = std::is_same_v<O, T>;  // C is accumulated in place
  constexpr bool kPairs = std::is_same_v<E, Bf16Pair>;
  constexpr int kCols = kTileCols<E>;
  constexpr int kPer = TileElement<E>::kDepth;
  const std::int64_t depths = k / kPer;
  const bool direct_a = kPairs || (kAsIs && !options.transpose_a && !same_cache_sets<T>(a));
  GemmPlan plan = plan_gemm(m, n, k, kCols, !direct_a);
  // B in place, if packing it would cost as much as the GEMM.
  const bool unpacked = kAsIs && constant == nullptr && !options.transpose_b &&
                        m <= 2 * kTileRows && !is_quantized(b.dtype);
  const std::int64_t panel = depths * kCols;
  std::int64_t n_step = n;
  if (constant == nullptr && !unpacked) {
    n_step =
        columns_at_once(plan, panel * static_cast<std::int64_t>(sizeof(E)), kCols, pool.threads());
  }
  const auto alpha = static_cast<T>(options.alpha);
  const auto beta = static_cast<T>(options.beta);
  const View& addend = options.addend ? options.addend : out;
  for (std::int64_t n_begin = 0; n_begin < n; n_begin += n_step) {
    const std::int64_t n_end = std::min(n, n_begin + n_step);
    const E* panels = nullptr;
    if (constant != nullptr) {
      panels = constant;
    } else if (!unpacked) {
      const std::int64_t count = ceil_div(n_end - n_begin, kCols);
      E* packed =
          static_cast<E*>(scratch.shared(static_cast<std::size_t>(count * panel) * sizeof(E)));
      for_ranges(pool, count, std::max<std::int64_t>(1, 65536 / panel),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t p = begin; p < end; ++p) {
                     const std::int64_t c = n_begin + p * kCols;
                     pack_b(c, static_cast<int>(std::min<std::int64_t>(kCols, n - c)),
                            packed + p * panel);
                   }
                 });
      panels = packed;
    }
    const std::int64_t m_chunks = ceil_div(m, plan.rows);
    const std::int64_t n_chunks = ceil_div(n_end - n_begin, plan.cols);
    pool.run(m_chunks * n_chunks, [&](std::int64_t chunk, int thread) {
      // Rows vary first, so that a block of B is still cached when its next chunk comes.
      const std::int64_t m0 = chunk % m_chunks * plan.rows;
      const std::int64_t m1 = std::min(m, m0 + plan.rows);
      const std::int64_t n0 = n_begin + chunk / m_chunks * plan.cols;
      const std::int64_t n1 = std::min(n_end, n0 + plan.cols);
      const std::int64_t c_stride = ceil_div(n1 - n0, kCols) * kCols;
      const std::int64_t packed_a = direct_a ? 0 : kABlock;
      const std::int64_t tail_b = unpacked ? static_cast<std::int64_t>(kDepth) * kCols : 0;
      const std::int64_t block_c = kDirect ? 0 : (m1 - m0) * c_stride;
      T* c_block = static_cast<T*>(
          scratch.of_thread(thread, static_cast<std::size_t>(block_c) * sizeof(T) +
                                        static_cast<std::size_t>(packed_a + tail_b) * sizeof(E)));
      E* a_block = reinterpret_cast<E*>(c_block + block_c);
      E* tail = a_block + packed_a;
      BlockA<E> from{options.transpose_a ? TileA::packed_columns : TileA::packed_rows, a_block};
      if constexpr (kAsIs || kPairs) {
        if (direct_a) {
          from = {TileA::strided_rows, reinterpret_cast<E*>(a.as<S>() + m0 * a.row_stride),
                  a.row_stride / kPer};
        }
      }
      const auto pack_a = [&](std::int64_t row, int rows, std::int64_t k0, std::int64_t depth,
                              E* dst) {
        if constexpr (!kPairs) {
          pack_rows(a.as<S>(), a.row_stride, options.transpose_a, row, rows, k0, depth, dst);
        }
      };
      const auto panel_b = [&](std::int64_t c, int cols, std::int64_t k0, std::int64_t depth) {
        if (!unpacked) {
          return std::pair(
              panels + (c - (constant != nullptr ? 0 : n_begin)) / kCols * panel + k0 * kCols,
              std::int64_t{kCols});
        }
        if constexpr (kAsIs) {
          if (cols == kCols) {
            return std::pair(static_cast<const E*>(b.as<S>() + k0 * b.row_stride + c),
                             b.row_stride);
          }
          pack_panel(b.as<S>() + k0 * b.row_stride, b.row_stride, false, c, cols, depth, tail);
        }
        return std::pair(static_cast<const E*>(tail), std::int64_t{kCols});
      };
      if constexpr (kDirect) {
        T* c = out.as<T>() + m0 * out.row_stride + n0;
        if (beta != T(0) && (beta != T(1) || options.addend)) {
          const T* from = addend.as<T>() + m0 * addend.row_stride + n0;
          for (std::int64_t i = 0; i < m1 - m0; ++i) {
            map_elements(
                n1 - n0, c + i * out.row_stride, [&](Vec<T> x) { return Vec<T>(beta) * x; },
                from + i * addend.row_stride);
          }
        }
        gemm_block<E>(m0, m1, n0, n1, depths, from, pack_a, panel_b, c, out.row_stride, alpha,
                      beta != T(0), bias ? bias.as<T>() + n0 : nullptr);
      } else {
        T* c = c_block;
        gemm_block<E>(m0, m1, n0, n1, depths, from, pack_a, panel_b, c, c_stride, alpha, false,
                      nullptr);
        if constexpr (std::is_same_v<T, float>) {
          for (std::int64_t i = 0; column_scale != nullptr && i < m1 - m0; ++i) {
            map_elements(
                n1 - n0, c + i * c_stride, [](Vec<T> x, Vec<T> s) { return x * s; },
                static_cast<const T*>(c + i * c_stride), column_scale + n0);
          }
        }
        store_block<O>(
            c, c_stride, m1 - m0, n1 - n0, beta, bias ? bias.as<S>() + n0 : nullptr,
            [&](std::int64_t i) { return out.as<O>() + (m0 + i) * out.row_stride + n0; },
            [&](std::int64_t i) { return addend.as<O>() + (m0 + i) * addend.row_stride + n0; });
      }
    });
  }
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
    if ((pairs || (std::is_same_v<S, T> && !options.transpose_a)) && same_cache_sets<S>(a) &&
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
      const std::int64_t panel = k / TileElement<E>::kDepth * kCols;
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
      if (sums) {
        matmul_panels<S, E, T>(pool_, scratch_, packed, rows, b, bias, out, m, n, k, options);
      } else {
        matmul_panels<S, E, S>(pool_, scratch_, packed, rows, b, bias, out, m, n, k, options);
      }
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
  o.alpha = a_scale.as<float>()[0];
  View plain_b = b;
  plain_b.scale = nullptr;
  with_element<bfloat16>(takes_pairs<bfloat16>(wide_a, b, k, o), [&]<typename E>() {
    matmul_panels<bfloat16, E, bfloat16>(pool_, scratch_, nullptr, wide_a, plain_b, bias, out, m, n,
                                         k, o, b_scale ? b_scale.as<float>() : nullptr);
  });
}

}  // namespace mantissa::MANTISSA_ISA
