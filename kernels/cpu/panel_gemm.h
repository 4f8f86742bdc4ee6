#pragma once
// The general GEMM of the CPU: panels of B, packed by the chunk that multiplies them.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "kernels/cpu/codes.h"
#include "kernels/cpu/gemm_blocks.h"

namespace mantissa::MANTISSA_ISA {

/// Whether rows lie a multiple of a page apart: 12 of them then evict each other.
template <typename T>
bool same_cache_sets(const View& a) {
  return a.row_stride * static_cast<std::int64_t>(sizeof(T)) % 4096 == 0;
}

/// Packs columns [column, column + cols) of B at full depth: see pack_panel.
template <typename E>
using PackB = std::function<void(std::int64_t column, int cols, E* panel)>;

/// Packs B as elements S. Codes, scaled by b.scale, are rounded to S first.
template <typename S, typename E>
PackB<E> packing_of(const View& b, bool transposed, std::int64_t k) {
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

/// Factors of a product of codes, or null.
struct ProductScales {
  const float* rows = nullptr;
  const float* columns = nullptr;
};

/// The general GEMM of elements S, with panels of B of elements E, into elements O: S, or fp32
/// without a bias. With Bf16Pair, k is even, or A by columns and B by rows.
template <typename S, typename E, typename O>
class PanelGemm {
 public:
  using T = accumulator_t<S>;
  PanelGemm(const View& a, const View& b, const View& bias, const View& out, std::int64_t m,
            std::int64_t n, std::int64_t k, const MatmulOptions& options,
            const ProductScales& scales = {})
      : a_(a),
        b_(b),
        bias_(bias),
        out_(out),
        addend_(options.addend ? options.addend : out),
        options_(options),
        scales_(scales),
        m_(m),
        n_(n),
        depths_(ceil_div(k, std::int64_t{kPer})),
        k_(k),
        direct_a_(!options.transpose_a && (kPairs || (kAsIs && !same_cache_sets<T>(a)))) {}

  /// `constant`: B's panels, or null.
  void run(ThreadPool& pool, Scratch& scratch, const E* constant) const {
    // B in place, if packing it would cost as much as the GEMM.
    const bool unpacked = kAsIs && !kPairs && constant == nullptr && !options_.transpose_b &&
                          m_ <= 2 * kTileRows && !is_quantized(b_.dtype);
    if (constant != nullptr || unpacked) {
      const GemmPlan plan = plan_gemm(m_, n_, k_, kCols, !direct_a_);
      const std::int64_t tall = ceil_div(m_, plan.rows);
      pool.run(tall * ceil_div(n_, plan.cols), [&](std::int64_t chunk, int thread) {
        // Rows vary first, so that a block of B is still cached when its next chunk comes.
        const std::int64_t m0 = chunk % tall * plan.rows, n0 = chunk / tall * plan.cols;
        const std::int64_t m1 = std::min(m_, m0 + plan.rows), n1 = std::min(n_, n0 + plan.cols);
        void* memory = scratch.of_thread(thread, block_bytes(plan.rows, plan.cols));
        multiply(m0, m1, n0, n1, constant, 0, memory);
      });
      return;
    }
    const GemmShare share = share_gemm(m_, n_, k_, panel() * static_cast<std::int64_t>(sizeof(E)),
                                       kCols, pool.threads());
    for_shares<E>(
        pool, scratch, share, m_, n_, kCols, panel(), block_bytes(share.block, share.cols),
        packing_of<S, E>(b_, options_.transpose_b, k_),
        [&](std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1, const E* panels,
            void* memory) { multiply(m0, m1, n0, n1, panels, n0, memory); });
  }

 private:
  static constexpr bool kAsIs = std::is_same_v<S, T>;    // A and B are multiplied in place
  static constexpr bool kDirect = std::is_same_v<O, T>;  // C is accumulated in place
  static constexpr bool kPairs = std::is_same_v<E, Bf16Pair>;
  static constexpr int kCols = kTileCols<E>;
  static constexpr int kPer = TileElement<E>::kDepth;

  std::int64_t panel() const { return depths_ * kCols; }
  /// C's block, A's packed rows and the last panel of a B that isn't packed.
  static std::size_t block_bytes(std::int64_t rows, std::int64_t cols) {
    return static_cast<std::size_t>(kDirect ? 0 : rows * cols) * sizeof(T) +
           static_cast<std::size_t>(kABlock + std::int64_t{kDepth} * kCols) * sizeof(E);
  }

  void pack_a(std::int64_t row, int rows, std::int64_t k0, std::int64_t depth, E* to) const {
    if constexpr (kPairs) {
      pack_pairs(a_.as<S>(), a_.row_stride, row, rows, k_, k0, depth, to);
    } else {
      pack_rows(a_.as<S>(), a_.row_stride, options_.transpose_a, row, rows, k0, depth, to);
    }
  }

  /// Rows [m0, m1), at most kBlockRows, and columns [n0, n1) of C. `panels` begin at column
  /// `first`; null if B is read in place.
  void multiply(std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1, const E* panels,
                std::int64_t first, void* memory) const {
    const std::int64_t c_stride = ceil_div(n1 - n0, kCols) * kCols;
    T* const c_block = static_cast<T*>(memory);
    E* const a_block = reinterpret_cast<E*>(c_block + (kDirect ? 0 : (m1 - m0) * c_stride));
    E* const tail = a_block + kABlock;
    BlockA<E> from{options_.transpose_a ? TileA::packed_columns : TileA::packed_rows, a_block};
    if constexpr (kAsIs || kPairs) {
      if (direct_a_) {
        from = {TileA::strided_rows, reinterpret_cast<E*>(a_.as<S>() + m0 * a_.row_stride),
                a_.row_stride / kPer};
      }
    }
    const auto pack = [&](std::int64_t row, int rows, std::int64_t k0, std::int64_t depth, E* to) {
      pack_a(row, rows, k0, depth, to);
    };
    const auto panel_b = [&](std::int64_t c, int cols, std::int64_t k0, std::int64_t depth) {
      if (panels != nullptr) {
        return std::pair(panels + (c - first) / kCols * panel() + k0 * kCols, std::int64_t{kCols});
      }
      if constexpr (kAsIs && !kPairs) {
        if (cols == kCols) {
          return std::pair(static_cast<const E*>(b_.as<S>() + k0 * b_.row_stride + c),
                           b_.row_stride);
        }
        pack_panel(b_.as<S>() + k0 * b_.row_stride, b_.row_stride, false, c, cols, depth, tail);
      }
      return std::pair(static_cast<const E*>(tail), std::int64_t{kCols});
    };
    const auto alpha = static_cast<T>(options_.alpha);
    const auto beta = static_cast<T>(options_.beta);
    if constexpr (kDirect) {
      scale_addend(m0, m1, n0, n1, beta);
      gemm_block<E>(m0, m1, n0, n1, depths_, from, pack, panel_b,
                    out_.as<T>() + m0 * out_.row_stride + n0, out_.row_stride, alpha, beta != T(0),
                    bias_ ? bias_.as<T>() + n0 : nullptr);
    } else {
      gemm_block<E>(m0, m1, n0, n1, depths_, from, pack, panel_b, c_block, c_stride, alpha, false,
                    nullptr);
      store(c_block, c_stride, m0, m1, n0, n1, beta);
    }
  }

  /// C = beta·addend, unless that is what it holds.
  void scale_addend(std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1,
                    T beta) const {
    if (beta == T(0) || (beta == T(1) && !options_.addend)) {
      return;
    }
    for (std::int64_t i = m0; i < m1; ++i) {
      map_elements(
          n1 - n0, out_.as<T>() + i * out_.row_stride + n0,
          [&](Vec<T> x) { return Vec<T>(beta) * x; },
          static_cast<const T*>(addend_.as<T>() + i * addend_.row_stride + n0));
    }
  }

  /// C's block, scaled by rows and by columns, with addend and bias into the result.
  void store(T* c, std::int64_t c_stride, std::int64_t m0, std::int64_t m1, std::int64_t n0,
             std::int64_t n1, T beta) const {
    if constexpr (std::is_same_v<T, float>) {
      for (std::int64_t i = 0; scales_.rows != nullptr && i < m1 - m0; ++i) {
        const Vec<T> factor(scales_.rows[m0 + i]);
        map_elements(
            n1 - n0, c + i * c_stride, [&](Vec<T> x) { return x * factor; },
            static_cast<const T*>(c + i * c_stride));
      }
      for (std::int64_t i = 0; scales_.columns != nullptr && i < m1 - m0; ++i) {
        map_elements(
            n1 - n0, c + i * c_stride, [](Vec<T> x, Vec<T> s) { return x * s; },
            static_cast<const T*>(c + i * c_stride), scales_.columns + n0);
      }
    }
    store_block<O>(
        c, c_stride, m1 - m0, n1 - n0, beta, bias_ ? bias_.as<S>() + n0 : nullptr,
        [&](std::int64_t i) { return out_.as<O>() + (m0 + i) * out_.row_stride + n0; },
        [&](std::int64_t i) { return addend_.as<O>() + (m0 + i) * addend_.row_stride + n0; });
  }

  const View &a_, &b_, &bias_, &out_;
  const View addend_;
  const MatmulOptions& options_;
  ProductScales scales_;  ///< of C's sums
  std::int64_t m_, n_, depths_, k_;
  bool direct_a_;
};

}  // namespace mantissa::MANTISSA_ISA
