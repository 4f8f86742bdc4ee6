#include <cmath>

#include "kernels/cpu/attention_tile.h"

// The backward pass recomputes probabilities, transposed: [keys, queries].

namespace mantissa::MANTISSA_ISA {

namespace {

/// Minimum number of tasks of the backward pass, if there are enough keys.
constexpr std::int64_t kBackwardTasks = 16;

/// Probabilities and score gradients of one block, transposed: s = scale·K·Qᵀ and dp = V·dOᵀ become
/// P and P∘(dP - D). Queries before `first` are masked.
template <typename T>
void score_gradient_row(T* s, T* dp, std::int64_t cols, std::int64_t first, const T* log_sum_exp,
                        const T* dot) {
  using V = Vec<T>;
  const std::int64_t skip = std::clamp<std::int64_t>(first, 0, cols);
  for (std::int64_t c = 0; c < cols; c += V::kLanes) {
    const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, cols - c));
    const V p = vexp(load_some(static_cast<const T*>(s) + c, n) - load_some(log_sum_exp + c, n));
    const V d = p * (load_some(static_cast<const T*>(dp) + c, n) - load_some(dot + c, n));
    store_some(s + c, p, n);
    store_some(dp + c, d, n);
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
  // For each pair: Qᵀ, dOᵀ, Q, dO as panels and D = Σ dO∘O. The pairs that share keys come
  // together: their terms of dK and dV are summed in one task, in their order.
  const std::int64_t packed_elements = 2 * transposed + 2 * straight + h.queries;
  const std::int64_t blocks = ceil_div(h.keys, kRows);
  const std::int64_t bytes = h.group * packed_elements * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t at_once = std::clamp<std::int64_t>(kPacked / bytes, 1, h.key_pairs());
  const std::int64_t groups = std::min(blocks, ceil_div(kBackwardTasks, at_once));
  const std::int64_t group_blocks = ceil_div(blocks, groups);
  const bool in_place = kDirect && groups == 1;
  const std::int64_t partial = in_place ? 0 : straight;
  const std::int64_t a_elements = ceil_div(h.d, kDepth) * kRows * kTileStride;
  for (std::int64_t p0 = 0; p0 < h.key_pairs(); p0 += at_once) {
    const std::int64_t key_pairs = std::min(at_once, h.key_pairs() - p0);
    const std::int64_t pairs = key_pairs * h.group, first_pair = p0 * h.group;
    T* packed = static_cast<T*>(scratch.shared(
        static_cast<std::size_t>(pairs * (packed_elements + groups * partial)) * sizeof(T)));
    T* partials = packed + pairs * packed_elements;
    pool.run(4 * pairs, [&](std::int64_t chunk, int) {
      const std::int64_t pair = first_pair + chunk / 4;
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
              sum = fma(load_some(a + c, n), load_some(b + c, n), sum);
            }
            dot[i] = sum_lanes(sum);
          }
      }
    });
    pool.run(key_pairs * groups, [&](std::int64_t chunk, int thread) {
      const std::int64_t key_pair = p0 + chunk / groups;
      const std::int64_t sum_stride = in_place ? d_q.row_stride : width;
      // The sum of dQ for head `head` of the group.
      const auto sum_of = [&](std::int64_t head) {
        if constexpr (kDirect) {
          if (in_place) {
            return h.at<T>(d_q, key_pair * h.group + head);
          }
        }
        return partials + (chunk * h.group + head) * partial;
      };
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
      // Queries not reached by any key of this group keep a gradient of zero.
      for (std::int64_t i = 0; i < h.group * h.queries; ++i) {
        T* row = sum_of(i / h.queries) + i % h.queries * sum_stride;
        std::fill(row, row + h.d, T(0));
      }
      for (std::int64_t block = first_block; block < last_block; ++block) {
        const std::int64_t k0 = block * kRows;
        const std::int64_t rows = std::min(kRows, h.keys - k0);
        const S* k_from = h.key_at<S>(k, key_pair) + k0 * k.row_stride;
        const ScoreRows<E, S> from_k(k_from, k.row_stride, rows, h.d, k_rows);
        const ScoreRows<E, S> from_v(h.key_at<S>(v, key_pair) + k0 * v.row_stride, v.row_stride,
                                     rows, h.d, v_rows);
        pack_straight(k_from, k.row_stride, rows, h.d, k_panels);
        std::fill(sum_k, sum_k + 2 * kRows * width, T(0));
        // A causal key is visible to the queries from its own position on.
        const std::int64_t q_begin =
            options.causal ? k0 / kTileCols<T> * kTileCols<T> : std::int64_t{0};
        // All blocks of queries of all heads of the group.
        const std::int64_t steps = ceil_div(std::max<std::int64_t>(0, h.queries - q_begin), kCols);
        for (std::int64_t step = 0; step < h.group * steps; ++step) {
          const std::int64_t head = step / steps, q0 = q_begin + step % steps * kCols;
          const std::int64_t pair = key_pair * h.group + head;
          const AddedScores<T> added(bias, h, pair);
          const T* pair_packed = packed + (pair - first_pair) * packed_elements;
          const auto* q_transposed = reinterpret_cast<const E*>(pair_packed);
          const auto* d_transposed = reinterpret_cast<const E*>(pair_packed + transposed);
          const T* q_panels = pair_packed + 2 * transposed;
          const T* d_panels = q_panels + straight;
          const T* dot = d_panels + straight;
          const T* lse = log_sum_exp.as<T>() + pair * h.queries;
          T* sum_q = sum_of(head);
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
          map_elements(h.d, h.key_at<S>(d_k, key_pair) + (k0 + i) * d_k.row_stride, same,
                       static_cast<const T*>(sum_k + i * width));
          map_elements(h.d, h.key_at<S>(d_v, key_pair) + (k0 + i) * d_v.row_stride, same,
                       static_cast<const T*>(sum_v + i * width));
        }
      }
    });
    if (!in_place) {
      for_ranges(pool, pairs * h.queries, row_grain(h.d),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t r = begin; r < end; ++r) {
                     const std::int64_t pair = r / h.queries, i = r % h.queries;
                     T* sums = partials + i * width +
                               (pair / h.group * groups * h.group + pair % h.group) * partial;
                     for (std::int64_t g = 1; g < groups; ++g) {
                       map_elements(
                           h.d, sums, [](V a, V b) { return a + b; }, static_cast<const T*>(sums),
                           static_cast<const T*>(sums + g * h.group * partial));
                     }
                     map_elements(
                         h.d, h.at<S>(d_q, first_pair + pair) + i * d_q.row_stride,
                         [](V x) { return x; }, static_cast<const T*>(sums));
                   }
                 });
    }
  }
}

}  // namespace

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
