// DoRA: norms of W, and of W + scale·up·down from the factors.
#include <type_traits>

#include "kernels/check_dora.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {
namespace {

/// src[i] widened to T; codes too.
template <typename S, typename T>
void widen_any(const S* src, std::int64_t n, T* dst) {
  if constexpr (sizeof(S) == 1) {
    decode<T>(src, n, 1.0F, dst);
  } else {
    widen(src, n, dst);
  }
}

/// A [rows, cols] matrix of T: the view itself, or a widened copy at `space`. Each row times
/// `row_scale`, if given.
template <typename T>
const T* as_matrix(ThreadPool& pool, const View& v, std::int64_t rows, std::int64_t cols,
                   const float* row_scale, T* space) {
  if (v.dtype == (std::is_same_v<T, double> ? DType::f64 : DType::f32) && row_scale == nullptr) {
    return v.as<T>();
  }
  const auto convert = [&]<typename S>() {
    for_ranges(pool, rows, row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t r = begin; r < end; ++r) {
        T* row = space + r * cols;
        widen_any(v.as<S>() + r * cols, cols, row);
        const T factor = row_scale != nullptr ? static_cast<T>(row_scale[r]) : T(1);
        for (std::int64_t c = 0; row_scale != nullptr && c < cols; ++c) {
          row[c] *= factor;
        }
      }
    });
  };
  if constexpr (std::is_same_v<T, double>) {
    convert.template operator()<double>();
  } else if (v.dtype == DType::f16) {
    convert.template operator()<float16>();
  } else if (v.dtype == DType::bf16) {
    convert.template operator()<bfloat16>();
  } else {
    convert.template operator()<float>();
  }
  return space;
}

/// Calls f<S>() with the weight's type: double for double, else anything of 32 bits or fewer.
template <typename T, typename F>
void dispatch_weight(DType dtype, F&& f) {
  if constexpr (std::is_same_v<T, double>) {
    f.template operator()<double>();
  } else {
    switch (dtype) {
      case DType::f16:
        return f.template operator()<float16>();
      case DType::bf16:
        return f.template operator()<bfloat16>();
      case DType::f32:
        return f.template operator()<float>();
      default:
        return dispatch_codes(dtype, f);
    }
  }
}

/// The panels of B for gemm_block, all packed: B is [depth, n] rows `stride` apart, or [n, depth]
/// if transposed.
template <typename T>
void pack_panels(ThreadPool& pool, const T* b, std::int64_t stride, bool transposed, std::int64_t n,
                 std::int64_t depth, T* panels) {
  constexpr int kCols = kTileCols<T>;
  pool.run(ceil_div(n, kCols), [&](std::int64_t p, int) {
    const int cols = static_cast<int>(std::min<std::int64_t>(kCols, n - p * kCols));
    pack_panel(b, stride, transposed, p * kCols, cols, depth, panels + p * kCols * depth);
  });
}

template <typename T>
auto packed_panels(const T* panels, std::int64_t depth) {
  return [panels, depth](std::int64_t n, int, std::int64_t k0, std::int64_t) {
    return std::pair(panels + n * depth + k0 * kTileCols<T>, std::int64_t{kTileCols<T>});
  };
}

/// gemm_block's A argument for reading the matrix in place.
inline constexpr auto kNoPacking = [](std::int64_t, int, std::int64_t, std::int64_t, auto*) {};

/// Pieces of a shared scratch, each 64-byte aligned.
template <typename T>
class Pieces {
 public:
  std::int64_t add(std::int64_t elements) {
    const std::int64_t at = total_;
    total_ += ceil_div(elements, 16) * 16;
    return at;
  }
  T* allocate(Scratch& scratch) {
    return static_cast<T*>(scratch.shared(static_cast<std::size_t>(total_) * sizeof(T)));
  }

 private:
  std::int64_t total_ = 0;
};

template <typename T>
T norm_of(T squares, T scale, T sum) {
  // Rounding can leave a vanishing norm's square just below zero.
  return std::sqrt(std::max(T(0), squares + scale * sum));
}

/// n² = ‖W‖² + s·Σ_k B∘(2·W·Aᵀ + s·B·(A·Aᵀ)), rows of W at a time.
template <typename S, typename T>
void norms_per_output(ThreadPool& pool, Scratch& scratch, const DoraNormArgs& args,
                      const View& norm) {
  constexpr int kCols = kTileCols<T>;
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const std::int64_t rank = args.down.shape[0];
  const std::int64_t wide = ceil_div(rank, kCols) * kCols;
  Pieces<T> pieces;
  const std::int64_t a_at = pieces.add(rank * k), b_at = pieces.add(out * rank),
                     a_panels_at = pieces.add(wide * k), gram_at = pieces.add(rank * rank),
                     gram_panels_at = pieces.add(wide * rank);
  T* space = pieces.allocate(scratch);
  const T* a = as_matrix(pool, args.down, rank, k, nullptr, space + a_at);
  const T* b = as_matrix(pool, args.up, out, rank, nullptr, space + b_at);
  T* a_panels = space + a_panels_at;
  T* gram = space + gram_at;
  T* gram_panels = space + gram_panels_at;
  pack_panels(pool, a, k, true, rank, k, a_panels);
  for_ranges(pool, rank, kTileRows, [&](std::int64_t begin, std::int64_t end, int) {
    gemm_block<T>(begin, end, 0, rank, k, {TileA::strided_rows, const_cast<T*>(a) + begin * k, k},
                  kNoPacking, packed_panels(static_cast<const T*>(a_panels), k),
                  gram + begin * rank, rank, T(1), false, nullptr);
  });
  pack_panels(pool, static_cast<const T*>(gram), rank, false, rank, rank, gram_panels);
  const T scale = static_cast<T>(args.scale);
  const std::int64_t rows = std::clamp<std::int64_t>(ceil_div(out, 24), kTileRows, kBlockRows);
  for_ranges(pool, out, rows, [&](std::int64_t begin, std::int64_t end, int thread) {
    T* a_block = static_cast<T*>(
        scratch.of_thread(thread, static_cast<std::size_t>(kABlock + 2 * rows * wide) * sizeof(T)));
    T* cross = a_block + kABlock;
    T* quadratic = cross + rows * wide;
    BlockA<T> from{TileA::packed_rows, a_block};
    const S* w = args.weight.as<S>();
    if constexpr (std::is_same_v<S, T>) {
      from = {TileA::strided_rows, const_cast<T*>(w) + begin * k, k};
    }
    const auto pack_a = [&](std::int64_t row, int count, std::int64_t k0, std::int64_t depth,
                            T* dst) {
      for (int i = 0; i < count; ++i) {
        widen_any(w + (row + i) * k + k0, depth, dst + static_cast<std::int64_t>(i) * kTileStride);
      }
    };
    gemm_block<T>(begin, end, 0, rank, k, from, pack_a,
                  packed_panels(static_cast<const T*>(a_panels), k), cross, wide, T(1), false,
                  nullptr);
    gemm_block<T>(begin, end, 0, rank, rank,
                  {TileA::strided_rows, const_cast<T*>(b) + begin * rank, rank}, kNoPacking,
                  packed_panels(static_cast<const T*>(gram_panels), rank), quadratic, wide, scale,
                  false, nullptr);
    for (std::int64_t i = begin; i < end; ++i) {
      const T code = args.weight_scale ? static_cast<T>(args.weight_scale.as<float>()[i]) : T(1);
      const T* p = cross + (i - begin) * wide;
      const T* q = quadratic + (i - begin) * wide;
      T sum = T(0);
      for (std::int64_t j = 0; j < rank; ++j) {
        sum += b[i * rank + j] * (T(2) * code * p[j] + q[j]);
      }
      norm.as<T>()[i] = norm_of(args.squares.as<T>()[i], scale, sum);
    }
  });
}

/// Bᵀ·B [rank, rank] of B [out, rank], which `panels` holds as the GEMM's right side.
template <typename T>
void gram_matrix(ThreadPool& pool, Scratch& scratch, const T* b, const T* panels, std::int64_t out,
                 std::int64_t rank, T* gram) {
  for_ranges(pool, rank, kTileRows, [&](std::int64_t begin, std::int64_t end, int thread) {
    T* a_block =
        static_cast<T*>(scratch.of_thread(thread, static_cast<std::size_t>(kABlock) * sizeof(T)));
    const auto pack_a = [&](std::int64_t row, int count, std::int64_t k0, std::int64_t depth,
                            T* dst) { pack_rows(b, rank, true, row, count, k0, depth, dst); };
    gemm_block<T>(begin, end, 0, rank, out, {TileA::packed_columns, a_block}, pack_a,
                  packed_panels(panels, out), gram + begin * rank, rank, T(1), false, nullptr);
  });
}

/// n² = ‖W‖² + s·Σ_k A∘(2·Bᵀ·W + s·(Bᵀ·B)·A), columns of W at a time; a channel's kernel elements
/// are summed at the end.
template <typename S, typename T>
void norms_per_input(ThreadPool& pool, Scratch& scratch, const DoraNormArgs& args,
                     const View& norm) {
  constexpr int kCols = kTileCols<T>;
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const std::int64_t rank = args.down.shape[0], channels = norm.count(), area = k / channels;
  const std::int64_t wide = ceil_div(rank, kCols) * kCols;
  Pieces<T> pieces;
  const std::int64_t a_at = pieces.add(rank * k), b_at = pieces.add(out * rank),
                     scaled_at = pieces.add(out * rank), b_panels_at = pieces.add(wide * out),
                     gram_at = pieces.add(rank * rank), sums_at = pieces.add(k);
  T* space = pieces.allocate(scratch);
  const T* a = as_matrix(pool, args.down, rank, k, nullptr, space + a_at);
  const T* b = as_matrix(pool, args.up, out, rank, nullptr, space + b_at);
  const T* scaled = args.weight_scale ? as_matrix(pool, args.up, out, rank,
                                                  args.weight_scale.as<float>(), space + scaled_at)
                                      : b;
  T* b_panels = space + b_panels_at;
  T* gram = space + gram_at;
  T* sums = space + sums_at;
  pack_panels(pool, b, rank, false, rank, out, b_panels);
  gram_matrix(pool, scratch, b, static_cast<const T*>(b_panels), out, rank, gram);
  const T scale = static_cast<T>(args.scale);
  const std::int64_t step = kCols * std::clamp<std::int64_t>(k / (24 * kCols), 1, 8);
  const std::int64_t block = std::min<std::int64_t>(rank, kBlockRows);
  for_ranges(pool, k, step, [&](std::int64_t begin, std::int64_t end, int thread) {
    const std::int64_t elements = kABlock + std::int64_t{kDepth} * kCols + 2 * block * step;
    T* a_block =
        static_cast<T*>(scratch.of_thread(thread, static_cast<std::size_t>(elements) * sizeof(T)));
    T* tail = a_block + kABlock;
    T* cross = tail + std::int64_t{kDepth} * kCols;
    T* quadratic = cross + block * step;
    const auto pack_a = [&](std::int64_t row, int count, std::int64_t k0, std::int64_t depth,
                            T* dst) { pack_rows(scaled, rank, true, row, count, k0, depth, dst); };
    const auto panel_w = [&](std::int64_t n, int cols, std::int64_t k0, std::int64_t depth) {
      const S* w = args.weight.as<S>() + k0 * k + n;
      if constexpr (std::is_same_v<S, T>) {
        if (cols == kCols) {
          return std::pair(static_cast<const T*>(w), k);
        }
      }
      for (std::int64_t i = 0; i < depth; ++i) {
        widen_any(w + i * k, cols, tail + i * kCols);
        std::fill(tail + i * kCols + cols, tail + (i + 1) * kCols, T(0));
      }
      return std::pair(static_cast<const T*>(tail), std::int64_t{kCols});
    };
    const auto panel_a = [&](std::int64_t n, int cols, std::int64_t k0, std::int64_t depth) {
      if (cols == kCols) {
        return std::pair(a + k0 * k + n, k);
      }
      pack_panel(a + k0 * k, k, false, n, cols, depth, tail);
      return std::pair(static_cast<const T*>(tail), std::int64_t{kCols});
    };
    std::fill(sums + begin, sums + end, T(0));
    for (std::int64_t m0 = 0; m0 < rank; m0 += block) {
      const std::int64_t m1 = std::min(rank, m0 + block);
      gemm_block<T>(m0, m1, begin, end, out, {TileA::packed_columns, a_block}, pack_a, panel_w,
                    cross, step, T(1), false, nullptr);
      gemm_block<T>(m0, m1, begin, end, rank, {TileA::strided_rows, gram + m0 * rank, rank},
                    kNoPacking, panel_a, quadratic, step, scale, false, nullptr);
      for (std::int64_t m = m0; m < m1; ++m) {
        const T* p = cross + (m - m0) * step;
        const T* q = quadratic + (m - m0) * step;
        for (std::int64_t j = begin; j < end; ++j) {
          sums[j] += a[m * k + j] * (T(2) * p[j - begin] + q[j - begin]);
        }
      }
    }
  });
  for (std::int64_t c = 0; c < channels; ++c) {
    T sum = T(0);
    for (std::int64_t i = 0; i < area; ++i) {
      sum += sums[c * area + i];
    }
    norm.as<T>()[c] = norm_of(args.squares.as<T>()[c], scale, sum);
  }
}

/// Σ x² of a row in fp64, sixteen partial sums so that it runs in vectors.
template <typename S>
double row_squares(const S* x, std::int64_t n) {
  const auto wide = [x](std::int64_t i) {
    if constexpr (std::is_same_v<S, double>) {
      return x[i];
    } else {
      return static_cast<double>(static_cast<float>(x[i]));
    }
  };
  double sums[16] = {};
  std::int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (int j = 0; j < 16; ++j) {
      sums[j] += wide(i + j) * wide(i + j);
    }
  }
  for (int j = 0; i < n; ++i, ++j) {
    sums[j] += wide(i) * wide(i);
  }
  double total = 0;
  for (double s : sums) {
    total += s;
  }
  return total;
}

/// v[begin, begin + n) widened to T.
template <typename T>
void widen_part(const View& v, std::int64_t begin, std::int64_t n, T* to) {
  if constexpr (std::is_same_v<T, double>) {
    widen_any(v.as<double>() + begin, n, to);
  } else {
    dispatch_weight<T>(v.dtype, [&]<typename S>() { widen_any(v.as<S>() + begin, n, to); });
  }
}

/// ‖W + scale·change‖ with the sums in fp64: a thread's neighbouring channels, row by row.
template <typename T>
void norms_of_change(ThreadPool& pool, Scratch& scratch, const DoraNormArgs& args,
                     const View& norm) {
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const std::int64_t channels = norm.count(), area = args.per_input ? k / channels : k;
  const T scale = static_cast<T>(args.scale);
  const std::int64_t grain = std::max<std::int64_t>(1, (args.per_input ? 256 : 4096) / area);
  for_ranges(pool, channels, grain, [&](std::int64_t begin, std::int64_t end, int thread) {
    const std::int64_t count = end - begin, n = args.per_input ? count * area : k;
    auto* sums = static_cast<double*>(
        scratch.of_thread(thread, static_cast<std::size_t>(count) * sizeof(double) +
                                      2 * static_cast<std::size_t>(n) * sizeof(T)));
    T* v = reinterpret_cast<T*>(sums + count);
    T* change = v + n;
    std::fill(sums, sums + count, 0.0);
    for (std::int64_t row = args.per_input ? 0 : begin; row < (args.per_input ? out : end); ++row) {
      const std::int64_t at = row * k + (args.per_input ? begin * area : 0);
      const T code = args.weight_scale ? static_cast<T>(args.weight_scale.as<float>()[row]) : T(1);
      widen_part(args.weight, at, n, v);
      widen_part(args.down, at, n, change);
      for (std::int64_t i = 0; i < n; ++i) {
        v[i] = code * v[i] + scale * change[i];
      }
      if (!args.per_input) {
        sums[row - begin] = row_squares(v, n);
        continue;
      }
      for (std::int64_t c = 0; c < count; ++c) {
        sums[c] += row_squares(v + c * area, area);
      }
    }
    for (std::int64_t c = begin; c < end; ++c) {
      norm.as<T>()[c] = static_cast<T>(std::sqrt(sums[c - begin]));
    }
  });
}

}  // namespace

void CpuKernels::weight_squares(const DoraNormArgs& args, const View& squares) {
  check_norm_args(args, squares, "weight_squares");
  const DType type = squares.dtype;
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const float* scale = args.weight_scale ? args.weight_scale.as<float>() : nullptr;
  const std::int64_t channels = squares.count(), area = k / channels;
  const auto run = [&]<typename S, typename T>() {
    const S* w = args.weight.as<S>();
    if (!args.per_input) {
      for_ranges(pool_, out, row_grain(k), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) {
          const double code = scale != nullptr ? static_cast<double>(scale[i]) : 1.0;
          squares.as<T>()[i] = static_cast<T>(code * code * row_squares(w + i * k, k));
        }
      });
      return;
    }
    for_ranges(pool_, channels, std::max<std::int64_t>(1, 256 / area),
               [&](std::int64_t begin, std::int64_t end, int thread) {
                 auto* sums = static_cast<double*>(scratch_.of_thread(
                     thread, static_cast<std::size_t>(end - begin) * sizeof(double)));
                 std::fill(sums, sums + (end - begin), 0.0);
                 for (std::int64_t i = 0; i < out; ++i) {
                   const double code = scale != nullptr ? static_cast<double>(scale[i]) : 1.0;
                   for (std::int64_t c = begin; c < end; ++c) {
                     sums[c - begin] += code * code * row_squares(w + i * k + c * area, area);
                   }
                 }
                 for (std::int64_t c = begin; c < end; ++c) {
                   squares.as<T>()[c] = static_cast<T>(sums[c - begin]);
                 }
               });
  };
  if (type == DType::f64) {
    run.template operator()<double, double>();
  } else {
    dispatch_weight<float>(args.weight.dtype,
                           [&]<typename S>() { run.template operator()<S, float>(); });
  }
}

void CpuKernels::dora_norm(const DoraNormArgs& args, const View& norm) {
  check_dora_norm(args, norm);
  if (!args.up) {
    norm.dtype == DType::f64 ? norms_of_change<double>(pool_, scratch_, args, norm)
                             : norms_of_change<float>(pool_, scratch_, args, norm);
    return;
  }
  const auto run = [&]<typename S, typename T>() {
    if (args.per_input) {
      norms_per_input<S, T>(pool_, scratch_, args, norm);
    } else {
      norms_per_output<S, T>(pool_, scratch_, args, norm);
    }
  };
  if (norm.dtype == DType::f64) {
    run.template operator()<double, double>();
  } else {
    dispatch_weight<float>(args.weight.dtype,
                           [&]<typename S>() { run.template operator()<S, float>(); });
  }
}

}  // namespace mantissa::MANTISSA_ISA
