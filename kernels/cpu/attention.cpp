#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/check_attention.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/tile.h"

// Attention by blocks with an online softmax (Dao et al., arXiv 2205.14135): scores never leave the
// cache. Score blocks are kept with rows kTileStride apart, so that they serve as packed A of the
// next product. The backward recomputes probabilities, transposed: [keys, queries].

namespace mantissa::MANTISSA_ISA {

namespace {

/// Rows of A in one block, and columns of scores: one depth block of the product that follows.
constexpr std::int64_t kRows = kBlockRows;
constexpr std::int64_t kCols = kDepth;
/// What is packed of q, k, v and d_out at once.
constexpr std::int64_t kPacked = std::int64_t{32} << 20;
/// Tasks the backward cuts its work into at least, where there are enough keys.
constexpr std::int64_t kBackwardTasks = 16;

/// C[rows, cols] = alpha·A·B (+ C): A's rows kTileStride apart, depth <= kDepth, B in panels
/// `panel` elements apart.
template <typename T>
void rows_product(const T* a, std::int64_t rows, std::int64_t depth, const T* b, std::int64_t panel,
                  std::int64_t cols, T* c, std::int64_t c_stride, T alpha, bool add) {
  const std::int64_t tiles = ceil_div(rows, kTileRows);
  for (std::int64_t n = 0; n < cols; n += kTileCols<T>, b += panel) {
    const int width = static_cast<int>(std::min<std::int64_t>(kTileCols<T>, cols - n));
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t first = rows * t / tiles;
      const auto count = static_cast<int>(rows * (t + 1) / tiles - first);
      tile_kernel<T>(count, width > Vec<T>::kLanes, TileA::packed_rows)(
          {a + first * kTileStride, 0, b, kTileCols<T>, depth, c + first * c_stride + n, c_stride,
           width, alpha, add, nullptr});
    }
  }
}

/// Rows of a [tokens, d] matrix as A: one piece [rows][kTileStride] for each kDepth of d.
template <typename S, typename T>
void pack_a(const S* x, std::int64_t stride, std::int64_t rows, std::int64_t d, T* dst) {
  for (std::int64_t k = 0; k < d; k += kDepth, dst += kRows * kTileStride) {
    for (std::int64_t i = 0; i < rows; ++i) {
      widen(x + i * stride + k, std::min<std::int64_t>(kDepth, d - k), dst + i * kTileStride);
    }
  }
}

/// C[rows, cols] = alpha·A·Bᵀ over the whole head width, A from pack_a, B from pack_transposed.
template <typename T>
void scores(const T* a, std::int64_t rows, std::int64_t d, const T* b, std::int64_t cols, T* c,
            T alpha) {
  for (std::int64_t k = 0; k < d; k += kDepth) {
    rows_product(a + k / kDepth * kRows * kTileStride, rows, std::min<std::int64_t>(kDepth, d - k),
                 b + k * kTileCols<T>, d * kTileCols<T>, cols, c, std::int64_t{kTileStride}, alpha,
                 k > 0);
  }
}

/// The same of bf16 where the processor multiplies it: A is read where it lies, its rows `stride`
/// pairs apart. Nothing is rounded on the way.
void scores(const Bf16Pair* a, std::int64_t stride, std::int64_t rows, std::int64_t pairs,
            const Bf16Pair* b, std::int64_t cols, float* c, float alpha) {
  constexpr int kPanel = kTileCols<Bf16Pair>;
  const std::int64_t tiles = ceil_div(rows, kTileRows);
  for (std::int64_t k = 0; k < pairs; k += kDepth) {
    for (std::int64_t n = 0; n < cols; n += kPanel) {
      const int width = static_cast<int>(std::min<std::int64_t>(kPanel, cols - n));
      for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t first = rows * t / tiles;
        const auto count = static_cast<int>(rows * (t + 1) / tiles - first);
        tile_kernel<Bf16Pair>(count, width > kTileLanes<Bf16Pair>, TileA::strided_rows)(
            {a + first * stride + k, stride, b + n * pairs + k * kPanel, kPanel,
             std::min<std::int64_t>(kDepth, pairs - k), c + first * kTileStride + n, kTileStride,
             width, alpha, k > 0, nullptr});
      }
    }
  }
}

/// x [tokens, d] as panels over tokens: [tokens / kTileCols][d][kTileCols] of elements E.
template <typename S, typename E>
void pack_transposed(const S* x, std::int64_t stride, std::int64_t tokens, std::int64_t d, E* dst) {
  for (std::int64_t n = 0; n < tokens;
       n += kTileCols<E>, dst += d / TileElement<E>::kDepth * kTileCols<E>) {
    pack_panel(x, stride, true, n,
               static_cast<int>(std::min<std::int64_t>(kTileCols<E>, tokens - n)), d, dst);
  }
}

/// x [tokens, d] as panels over d: [d / kTileCols][tokens][kTileCols].
template <typename S, typename T>
void pack_straight(const S* x, std::int64_t stride, std::int64_t tokens, std::int64_t d, T* dst) {
  for (std::int64_t n = 0; n < d; n += kTileCols<T>, dst += tokens * kTileCols<T>) {
    pack_panel(x, stride, false, n, static_cast<int>(std::min<std::int64_t>(kTileCols<T>, d - n)),
               tokens, dst);
  }
}

/// Whether the products of q, k, v and d_out with each other can be taken pair by pair.
template <typename S>
bool takes_pairs(const Heads& h, std::initializer_list<const View*> views) {
  return kMultipliesBf16 && std::is_same_v<S, bfloat16> && h.d % 2 == 0 &&
         std::all_of(views.begin(), views.end(),
                     [](const View* v) { return v->row_stride % 2 == 0; });
}

/// Rows [row, row + rows) of one head as the A of `scores`: packed into `scratch`, or left alone.
template <typename E, typename S>
struct ScoreRows {
  using T = accumulator_t<S>;
  static constexpr bool kInPlace = !std::is_same_v<E, T>;
  const S* from;
  std::int64_t stride, rows, d;
  T* packed;
  ScoreRows(const S* x, std::int64_t row_stride, std::int64_t count, std::int64_t width, T* scratch)
      : from(x), stride(row_stride), rows(count), d(width), packed(scratch) {
    if constexpr (!kInPlace) {
      pack_a(x, row_stride, count, width, scratch);
    }
  }
  /// c = alpha·rows·Bᵀ, B of `panels` (pack_transposed) from token `first` on.
  void scores_with(const E* panels, std::int64_t first, std::int64_t cols, T* c, T alpha) const {
    constexpr int kPer = TileElement<E>::kDepth;
    const E* b = panels + first * (d / kPer);
    if constexpr (kInPlace) {
      scores(reinterpret_cast<const E*>(from), stride / kPer, rows, d / kPer, b, cols, c, alpha);
    } else {
      scores(static_cast<const T*>(packed), rows, d, b, cols, c, alpha);
    }
  }
};

/// What is added to the scores of one (sample, head) pair; null where nothing is.
template <typename T>
struct AddedScores {
  const T* scores = nullptr;  ///< [queries, keys]
  const T* by_key = nullptr;  ///< [keys]
  AddedScores(const AttentionBias& bias, const Heads& h, std::int64_t pair) {
    if (bias.scores) {
      const std::int64_t head = bias.scores.shape[0] == 1 ? 0 : pair % h.heads;
      scores = bias.scores.as<T>() + head * h.queries * h.keys;
    }
    if (bias.keys) {
      by_key = bias.keys.as<T>() + pair / h.heads * h.keys;
    }
  }
};

/// row[c] += what belongs to query `q` and keys k0 + c.
template <typename T>
void add_to_query_row(T* row, std::int64_t cols, const AddedScores<T>& added, std::int64_t keys,
                      std::int64_t q, std::int64_t k0) {
  const auto sum = [](Vec<T> a, Vec<T> b) { return a + b; };
  if (added.scores != nullptr) {
    map_elements(cols, row, sum, static_cast<const T*>(row), added.scores + q * keys + k0);
  }
  if (added.by_key != nullptr) {
    map_elements(cols, row, sum, static_cast<const T*>(row), added.by_key + k0);
  }
}

/// row[c] += what belongs to key `k` and queries q0 + c.
template <typename T>
void add_to_key_row(T* row, std::int64_t cols, const AddedScores<T>& added, std::int64_t keys,
                    std::int64_t k, std::int64_t q0) {
  if (added.scores != nullptr) {
    const T* from = added.scores + q0 * keys + k;
    for (std::int64_t c = 0; c < cols; ++c) {
      row[c] += from[c * keys];
    }
  }
  if (added.by_key != nullptr) {
    const Vec<T> all(added.by_key[k]);
    map_elements(
        cols, row, [&](Vec<T> a) { return a + all; }, static_cast<const T*>(row));
  }
}

/// Softmax numerators of one row of scores in place; columns from `valid` on count as masked.
/// Updates the row's running maximum and sum, returns the factor for what was summed before.
template <typename T>
T soften_row(T* row, std::int64_t cols, std::int64_t valid, T& maximum, T& sum) {
  using V = Vec<T>;
  V high(-std::numeric_limits<T>::infinity());
  const std::int64_t whole = valid / V::kLanes * V::kLanes;
  const int rest = static_cast<int>(valid - whole);
  for (std::int64_t c = 0; c < whole; c += V::kLanes) {
    high = vmax(high, load(row + c));
  }
  T top = std::max(maximum, max_lanes(high));
  for (std::int64_t c = whole; c < valid; ++c) {
    top = std::max(top, row[c]);
  }
  const V shift(top);
  V total(T(0));
  for (std::int64_t c = 0; c < whole; c += V::kLanes) {
    const V p = vexp(load(row + c) - shift);
    total = total + p;
    store(row + c, p);
  }
  T tail = T(0);
  if (rest > 0) {
    T lanes[V::kLanes];
    store(lanes, vexp(load_n(row + whole, rest) - shift));
    for (int i = 0; i < rest; ++i) {
      row[whole + i] = lanes[i];
      tail += lanes[i];
    }
  }
  std::fill(row + valid, row + cols, T(0));
  const T factor = std::isinf(maximum) ? T(0) : std::exp(maximum - top);
  sum = sum * factor + sum_lanes(total) + tail;
  maximum = top;
  return factor;
}

template <typename S, typename E>
void attention_forward(ThreadPool& pool, Scratch& scratch, const View& q, const View& k,
                       const View& v, const View& out, const View& log_sum_exp,
                       const AttentionBias& bias, const Heads& h, const AttentionOptions& options) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const std::int64_t width = ceil_div(h.d, kTileCols<T>) * kTileCols<T>;
  const std::int64_t k_elements = ceil_div(h.keys, kTileCols<T>) * kTileCols<T> * h.d;
  const std::int64_t v_elements = h.keys * width;
  const std::int64_t pair_bytes = (k_elements + v_elements) * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t at_once = std::clamp<std::int64_t>(kPacked / pair_bytes, 1, h.pairs());
  const std::int64_t blocks = ceil_div(h.queries, kRows);
  const std::int64_t block_rows = ceil_div(h.queries, blocks);
  const std::int64_t q_elements = ceil_div(h.d, kDepth) * kRows * kTileStride;
  for (std::int64_t p0 = 0; p0 < h.pairs(); p0 += at_once) {
    const std::int64_t pairs = std::min(at_once, h.pairs() - p0);
    T* packed = static_cast<T*>(scratch.shared(static_cast<std::size_t>(pairs * pair_bytes)));
    pool.run(2 * pairs, [&](std::int64_t chunk, int) {
      T* to = packed + chunk / 2 * (k_elements + v_elements);
      if (chunk % 2 == 0) {
        pack_transposed(h.at<S>(k, p0 + chunk / 2), k.row_stride, h.keys, h.d,
                        reinterpret_cast<E*>(to));
      } else {
        pack_straight(h.at<S>(v, p0 + chunk / 2), v.row_stride, h.keys, h.d, to + k_elements);
      }
    });
    pool.run(pairs * blocks, [&](std::int64_t chunk, int thread) {
      const std::int64_t pair = p0 + chunk / blocks;
      const AddedScores<T> added(bias, h, pair);
      const T* panels = packed + chunk / blocks * (k_elements + v_elements);
      const auto* k_panels = reinterpret_cast<const E*>(panels);
      const T* v_panels = panels + k_elements;
      const std::int64_t q0 = chunk % blocks * block_rows;
      const std::int64_t rows = std::min(block_rows, h.queries - q0);
      if (rows <= 0) {
        return;
      }
      const std::int64_t elements = q_elements + kRows * (kTileStride + width + 2);
      T* q_rows = static_cast<T*>(
          scratch.of_thread(thread, static_cast<std::size_t>(elements) * sizeof(T)));
      T* s = q_rows + q_elements;
      T* sum_v = s + kRows * kTileStride;
      T* maximum = sum_v + kRows * width;
      T* sum = maximum + kRows;
      const ScoreRows<E, S> from(h.at<S>(q, pair) + q0 * q.row_stride, q.row_stride, rows, h.d,
                                 q_rows);
      std::fill(maximum, maximum + rows, -std::numeric_limits<T>::infinity());
      std::fill(sum, sum + rows, T(0));
      const std::int64_t last = options.causal ? std::min(h.keys, q0 + rows) : h.keys;
      for (std::int64_t k0 = 0; k0 < last; k0 += kCols) {
        const std::int64_t cols = std::min(kCols, last - k0);
        from.scores_with(k_panels, k0, cols, s, static_cast<T>(options.scale));
        for (std::int64_t i = 0; i < rows; ++i) {
          add_to_query_row(s + i * kTileStride, cols, added, h.keys, q0 + i, k0);
          const std::int64_t valid =
              options.causal ? std::clamp<std::int64_t>(q0 + i + 1 - k0, 0, cols) : cols;
          if (valid == 0) {
            std::fill(s + i * kTileStride, s + i * kTileStride + cols, T(0));
            continue;
          }
          const V factor(soften_row(s + i * kTileStride, cols, valid, maximum[i], sum[i]));
          if (k0 > 0) {
            T* row = sum_v + i * width;
            for (std::int64_t c = 0; c < width; c += V::kLanes) {
              store(row + c, factor * load(row + c));
            }
          }
        }
        rows_product(s, rows, cols, v_panels + k0 * kTileCols<T>, h.keys * kTileCols<T>, h.d, sum_v,
                     width, T(1), k0 > 0);
      }
      for (std::int64_t i = 0; i < rows; ++i) {
        const V inverse(T(1) / sum[i]);
        map_elements(
            h.d, h.at<S>(out, pair) + (q0 + i) * out.row_stride, [&](V x) { return x * inverse; },
            static_cast<const T*>(sum_v + i * width));
        log_sum_exp.as<T>()[pair * h.queries + q0 + i] = maximum[i] + std::log(sum[i]);
      }
    });
  }
}

/// Probabilities and score gradients of one block, transposed: s = scale·K·Qᵀ and dp = V·dOᵀ become
/// P and P∘(dP - D). Queries before `first` are masked.
template <typename T>
void score_gradient_row(T* s, T* dp, std::int64_t cols, std::int64_t first, const T* log_sum_exp,
                        const T* dot) {
  using V = Vec<T>;
  const std::int64_t skip = std::clamp<std::int64_t>(first, 0, cols);
  for (std::int64_t c = 0; c < cols; c += V::kLanes) {
    const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, cols - c));
    const V p = vexp(load_n(static_cast<const T*>(s) + c, n) - load_n(log_sum_exp + c, n));
    const V d = p * (load_n(static_cast<const T*>(dp) + c, n) - load_n(dot + c, n));
    store_n(s + c, p, n);
    store_n(dp + c, d, n);
  }
  std::fill(s, s + skip, T(0));
  std::fill(dp, dp + skip, T(0));
}

template <typename S, typename E>
void attention_gradient(ThreadPool& pool, Scratch& scratch, const View& q, const View& k,
                        const View& v, const View& out, const View& log_sum_exp, const View& d_out,
                        const View& d_q, const View& d_k, const View& d_v,
                        const AttentionBias& bias, const Heads& h,
                        const AttentionOptions& options) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  constexpr bool kDirect = std::is_same_v<S, T>;
  const auto alpha = static_cast<T>(options.scale);
  const std::int64_t width = ceil_div(h.d, kTileCols<T>) * kTileCols<T>;
  const std::int64_t transposed = ceil_div(h.queries, kTileCols<T>) * kTileCols<T> * h.d;
  const std::int64_t straight = h.queries * width;
  // For each pair: Qᵀ, dOᵀ, Q, dO as panels and D = Σ dO∘O.
  const std::int64_t packed_elements = 2 * transposed + 2 * straight + h.queries;
  const std::int64_t blocks = ceil_div(h.keys, kRows);
  const std::int64_t bytes = packed_elements * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t at_once = std::clamp<std::int64_t>(kPacked / bytes, 1, h.pairs());
  const std::int64_t groups = std::min(blocks, ceil_div(kBackwardTasks, at_once));
  const std::int64_t group_blocks = ceil_div(blocks, groups);
  const bool in_place = kDirect && groups == 1;
  const std::int64_t partial = in_place ? 0 : straight;
  const std::int64_t a_elements = ceil_div(h.d, kDepth) * kRows * kTileStride;
  for (std::int64_t p0 = 0; p0 < h.pairs(); p0 += at_once) {
    const std::int64_t pairs = std::min(at_once, h.pairs() - p0);
    T* packed = static_cast<T*>(scratch.shared(
        static_cast<std::size_t>(pairs * (packed_elements + groups * partial)) * sizeof(T)));
    T* partials = packed + pairs * packed_elements;
    pool.run(4 * pairs, [&](std::int64_t chunk, int) {
      const std::int64_t pair = p0 + chunk / 4;
      T* to = packed + chunk / 4 * packed_elements;
      switch (chunk % 4) {
        case 0:
          pack_transposed(h.at<S>(q, pair), q.row_stride, h.queries, h.d, reinterpret_cast<E*>(to));
          break;
        case 1:
          pack_transposed(h.at<S>(d_out, pair), d_out.row_stride, h.queries, h.d,
                          reinterpret_cast<E*>(to + transposed));
          break;
        case 2:
          pack_straight(h.at<S>(q, pair), q.row_stride, h.queries, h.d, to + 2 * transposed);
          break;
        default:
          pack_straight(h.at<S>(d_out, pair), d_out.row_stride, h.queries, h.d,
                        to + 2 * transposed + straight);
          T* dot = to + 2 * transposed + 2 * straight;
          for (std::int64_t i = 0; i < h.queries; ++i) {
            const S* a = h.at<S>(out, pair) + i * out.row_stride;
            const S* b = h.at<S>(d_out, pair) + i * d_out.row_stride;
            V sum(T(0));
            for (std::int64_t c = 0; c < h.d; c += V::kLanes) {
              const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, h.d - c));
              sum = fma(load_n(a + c, n), load_n(b + c, n), sum);
            }
            dot[i] = sum_lanes(sum);
          }
      }
    });
    pool.run(pairs * groups, [&](std::int64_t chunk, int thread) {
      const std::int64_t pair = p0 + chunk / groups;
      const AddedScores<T> added(bias, h, pair);
      const T* pair_packed = packed + chunk / groups * packed_elements;
      const auto* q_transposed = reinterpret_cast<const E*>(pair_packed);
      const auto* d_transposed = reinterpret_cast<const E*>(pair_packed + transposed);
      const T* q_panels = pair_packed + 2 * transposed;
      const T* d_panels = q_panels + straight;
      const T* dot = d_panels + straight;
      const T* lse = log_sum_exp.as<T>() + pair * h.queries;
      T* sum_q = nullptr;
      std::int64_t sum_stride = width;
      if constexpr (kDirect) {
        sum_q = h.at<T>(d_q, pair);
        sum_stride = d_q.row_stride;
      }
      if (!in_place) {
        sum_q = partials + chunk * partial;
        sum_stride = width;
      }
      // Scratch: K and V as A, K as panels, the two score blocks, dK, dV, and dSᵀ by columns.
      const std::int64_t by_columns = kRows * kTileRows;
      const std::int64_t elements =
          2 * a_elements + kRows * width + 2 * kRows * kTileStride + 2 * kRows * width + by_columns;
      T* k_rows = static_cast<T*>(
          scratch.of_thread(thread, static_cast<std::size_t>(elements) * sizeof(T)));
      T* v_rows = k_rows + a_elements;
      T* k_panels = v_rows + a_elements;
      T* s = k_panels + kRows * width;
      T* ds = s + kRows * kTileStride;
      T* sum_k = ds + kRows * kTileStride;
      T* sum_v = sum_k + kRows * width;
      T* columns = sum_v + kRows * width;
      const std::int64_t first_block = chunk % groups * group_blocks;
      const std::int64_t last_block = std::min(blocks, first_block + group_blocks);
      // Queries that no key of this group reaches keep a gradient of zero.
      for (std::int64_t i = 0; i < h.queries; ++i) {
        std::fill(sum_q + i * sum_stride, sum_q + i * sum_stride + h.d, T(0));
      }
      for (std::int64_t block = first_block; block < last_block; ++block) {
        const std::int64_t k0 = block * kRows;
        const std::int64_t rows = std::min(kRows, h.keys - k0);
        const S* k_from = h.at<S>(k, pair) + k0 * k.row_stride;
        const ScoreRows<E, S> from_k(k_from, k.row_stride, rows, h.d, k_rows);
        const ScoreRows<E, S> from_v(h.at<S>(v, pair) + k0 * v.row_stride, v.row_stride, rows, h.d,
                                     v_rows);
        pack_straight(k_from, k.row_stride, rows, h.d, k_panels);
        std::fill(sum_k, sum_k + 2 * kRows * width, T(0));
        // A causal key is seen by the queries from its own position on.
        const std::int64_t q_begin =
            options.causal ? k0 / kTileCols<T> * kTileCols<T> : std::int64_t{0};
        for (std::int64_t q0 = q_begin; q0 < h.queries; q0 += kCols) {
          const std::int64_t cols = std::min(kCols, h.queries - q0);
          from_k.scores_with(q_transposed, q0, cols, s, alpha);
          from_v.scores_with(d_transposed, q0, cols, ds, T(1));
          for (std::int64_t i = 0; i < rows; ++i) {
            add_to_key_row(s + i * kTileStride, cols, added, h.keys, k0 + i, q0);
            score_gradient_row(s + i * kTileStride, ds + i * kTileStride, cols,
                               options.causal ? k0 + i - q0 : std::int64_t{0}, lse + q0, dot + q0);
          }
          rows_product(s, rows, cols, d_panels + q0 * kTileCols<T>, h.queries * kTileCols<T>, h.d,
                       sum_v, width, T(1), true);
          rows_product(ds, rows, cols, q_panels + q0 * kTileCols<T>, h.queries * kTileCols<T>, h.d,
                       sum_k, width, alpha, true);
          for (std::int64_t i = 0; i < cols; i += kTileRows) {
            const int count = static_cast<int>(std::min<std::int64_t>(kTileRows, cols - i));
            pack_rows(static_cast<const T*>(ds), std::int64_t{kTileStride}, true, i, count, 0, rows,
                      columns);
            for (std::int64_t n = 0; n < h.d; n += kTileCols<T>) {
              const int n_cols = static_cast<int>(std::min<std::int64_t>(kTileCols<T>, h.d - n));
              tile_kernel<T>(count, n_cols > V::kLanes, TileA::packed_columns)(
                  {columns, 0, k_panels + n * rows, kTileCols<T>, rows,
                   sum_q + (q0 + i) * sum_stride + n, sum_stride, n_cols, alpha, true, nullptr});
            }
          }
        }
        for (std::int64_t i = 0; i < rows; ++i) {
          const auto same = [](V x) { return x; };
          map_elements(h.d, h.at<S>(d_k, pair) + (k0 + i) * d_k.row_stride, same,
                       static_cast<const T*>(sum_k + i * width));
          map_elements(h.d, h.at<S>(d_v, pair) + (k0 + i) * d_v.row_stride, same,
                       static_cast<const T*>(sum_v + i * width));
        }
      }
    });
    if (!in_place) {
      for_ranges(pool, pairs * h.queries, row_grain(h.d),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t r = begin; r < end; ++r) {
                     const std::int64_t pair = r / h.queries, i = r % h.queries;
                     T* sums = partials + pair * groups * partial + i * width;
                     for (std::int64_t g = 1; g < groups; ++g) {
                       map_elements(
                           h.d, sums, [](V a, V b) { return a + b; }, static_cast<const T*>(sums),
                           static_cast<const T*>(sums + g * partial));
                     }
                     map_elements(
                         h.d, h.at<S>(d_q, p0 + pair) + i * d_q.row_stride, [](V x) { return x; },
                         static_cast<const T*>(sums));
                   }
                 });
    }
  }
}

}  // namespace

void CpuKernels::attention(const View& q, const View& k, const View& v, const AttentionBias& bias,
                           const View& out, const View& log_sum_exp,
                           const AttentionOptions& options) {
  const Heads h = check_attention(q, k, v, out, log_sum_exp, bias, options, "attention");
  if (out.count() == 0) {
    return;
  }
  dispatch_float(q.dtype, [&]<typename S>() {
    with_element<S>(takes_pairs<S>(h, {&q, &k}), [&]<typename E>() {
      attention_forward<S, E>(pool_, scratch_, q, k, v, out, log_sum_exp, bias, h, options);
    });
  });
}

void CpuKernels::attention_backward(const View& q, const View& k, const View& v,
                                    const AttentionBias& bias, const View& out,
                                    const View& log_sum_exp, const View& d_out, const View& d_q,
                                    const View& d_k, const View& d_v,
                                    const AttentionOptions& options) {
  const Heads h =
      check_attention_backward(q, k, v, bias, out, log_sum_exp, d_out, d_q, d_k, d_v, options);
  if (out.count() == 0) {
    return;
  }
  dispatch_float(q.dtype, [&]<typename S>() {
    with_element<S>(takes_pairs<S>(h, {&q, &k, &v, &d_out}), [&]<typename E>() {
      attention_gradient<S, E>(pool_, scratch_, q, k, v, out, log_sum_exp, d_out, d_q, d_k, d_v,
                               bias, h, options);
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
