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

/// Operands and results of the backward pass.
struct GradientViews {
  const View &q, &k, &v, &out, &log_sum_exp, &d_out, &d_q, &d_k, &d_v;
};

/// The backward pass of all (sample, head) pairs, as many at once as fit into kPacked bytes. The
/// pairs that share keys come together: their terms of dK and dV are summed in one task, in their
/// order.
template <typename S, typename E>
class AttentionGradient {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  static constexpr bool kDirect = std::is_same_v<S, T>;

 public:
  AttentionGradient(ThreadPool& pool, Scratch& scratch, const GradientViews& views,
                    const AttentionBias& bias, const Heads& heads, const AttentionOptions& options)
      : pool_(pool),
        scratch_(scratch),
        views_(views),
        bias_(bias),
        h_(heads),
        causal_(options.causal),
        alpha_(static_cast<T>(options.scale)),
        width_(ceil_div(heads.d, kTileCols<T>) * kTileCols<T>),
        transposed_(ceil_div(heads.queries, kTileCols<T>) * kTileCols<T> * heads.d),
        straight_(heads.queries * width_),
        packed_elements_(2 * transposed_ + 2 * straight_ + heads.queries),
        blocks_(ceil_div(heads.keys, kRows)) {
    const std::int64_t bytes = h_.group * packed_elements_ * static_cast<std::int64_t>(sizeof(T));
    at_once_ = std::clamp<std::int64_t>(kPacked / bytes, 1, h_.key_pairs());
    groups_ = std::min(blocks_, ceil_div(kBackwardTasks, at_once_));
    group_blocks_ = ceil_div(blocks_, groups_);
    in_place_ = kDirect && groups_ == 1;
    partial_ = in_place_ ? 0 : straight_;
    sum_stride_ = in_place_ ? views.d_q.row_stride : width_;
  }

  void run() {
    for (std::int64_t p0 = 0; p0 < h_.key_pairs(); p0 += at_once_) {
      const std::int64_t key_pairs = std::min(at_once_, h_.key_pairs() - p0);
      const std::int64_t pairs = key_pairs * h_.group;
      first_pair_ = p0 * h_.group;
      packed_ = static_cast<T*>(scratch_.shared(
          static_cast<std::size_t>(pairs * (packed_elements_ + groups_ * partial_)) * sizeof(T)));
      partials_ = packed_ + pairs * packed_elements_;
      pool_.run(4 * pairs, [&](std::int64_t chunk, int) { pack(chunk / 4, chunk % 4); });
      pool_.run(key_pairs * groups_, [&](std::int64_t chunk, int thread) {
        add_group(p0 + chunk / groups_, chunk, thread);
      });
      if (!in_place_) {
        add_partials(pairs);
      }
    }
  }

 private:
  /// Scratch of a thread: K and V as A, K as panels, the two score blocks, dK, dV, and dSᵀ by
  /// columns.
  struct Space {
    T *k_rows, *v_rows, *k_panels, *s, *ds, *sum_k, *sum_v, *columns;
  };

  /// A block of keys.
  struct KeyBlock {
    std::int64_t first, rows;
    ScoreRows<E, S> k, v;
  };

  /// One of a pair's operands: Qᵀ, dOᵀ, Q, and dO as panels, the last with D = Σ dO∘O.
  void pack(std::int64_t place, std::int64_t operand) const {
    const std::int64_t pair = first_pair_ + place;
    const View &q = views_.q, &d_out = views_.d_out;
    T* to = packed_ + place * packed_elements_;
    switch (operand) {
      case 0:
        pack_transposed(h_.at<S>(q, pair), q.row_stride, h_.queries, h_.d,
                        reinterpret_cast<E*>(to));
        break;
      case 1:
        pack_transposed(h_.at<S>(d_out, pair), d_out.row_stride, h_.queries, h_.d,
                        reinterpret_cast<E*>(to + transposed_));
        break;
      case 2:
        pack_straight(h_.at<S>(q, pair), q.row_stride, h_.queries, h_.d, to + 2 * transposed_);
        break;
      default:
        pack_straight(h_.at<S>(d_out, pair), d_out.row_stride, h_.queries, h_.d,
                      to + 2 * transposed_ + straight_);
        dot_outputs(pair, to + 2 * transposed_ + 2 * straight_);
    }
  }

  void dot_outputs(std::int64_t pair, T* dot) const {
    for (std::int64_t i = 0; i < h_.queries; ++i) {
      const S* a = h_.at<S>(views_.out, pair) + i * views_.out.row_stride;
      const S* b = h_.at<S>(views_.d_out, pair) + i * views_.d_out.row_stride;
      V sum(T(0));
      for (std::int64_t c = 0; c < h_.d; c += V::kLanes) {
        const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, h_.d - c));
        sum = fma(load_some(a + c, n), load_some(b + c, n), sum);
      }
      dot[i] = sum_lanes(sum);
    }
  }

  Space space_of(int thread) const {
    const std::int64_t a_elements = ceil_div(h_.d, kDepth) * kRows * kTileStride;
    const std::int64_t by_columns = kRows * kTileRows;
    const std::int64_t elements =
        2 * a_elements + kRows * width_ + 2 * kRows * kTileStride + 2 * kRows * width_ + by_columns;
    Space m{};
    m.k_rows =
        static_cast<T*>(scratch_.of_thread(thread, static_cast<std::size_t>(elements) * sizeof(T)));
    m.v_rows = m.k_rows + a_elements;
    m.k_panels = m.v_rows + a_elements;
    m.s = m.k_panels + kRows * width_;
    m.ds = m.s + kRows * kTileStride;
    m.sum_k = m.ds + kRows * kTileStride;
    m.sum_v = m.sum_k + kRows * width_;
    m.columns = m.sum_v + kRows * width_;
    return m;
  }

  /// The sum of dQ for head `head` of a key pair, of the task `chunk`.
  T* sum_of(std::int64_t key_pair, std::int64_t chunk, std::int64_t head) const {
    if constexpr (kDirect) {
      if (in_place_) {
        return h_.at<T>(views_.d_q, key_pair * h_.group + head);
      }
    }
    return partials_ + (chunk * h_.group + head) * partial_;
  }

  /// One task: all terms of some blocks of keys.
  void add_group(std::int64_t key_pair, std::int64_t chunk, int thread) const {
    const Space m = space_of(thread);
    const std::int64_t first_block = chunk % groups_ * group_blocks_;
    const std::int64_t last_block = std::min(blocks_, first_block + group_blocks_);
    // Queries not reached by any key of this group keep a gradient of zero.
    for (std::int64_t i = 0; i < h_.group * h_.queries; ++i) {
      T* row = sum_of(key_pair, chunk, i / h_.queries) + i % h_.queries * sum_stride_;
      std::fill(row, row + h_.d, T(0));
    }
    for (std::int64_t block = first_block; block < last_block; ++block) {
      add_block(m, key_pair, chunk, block * kRows);
    }
  }

  /// All terms of the keys from `k0` on: dK and dV of them, and their share of dQ.
  void add_block(const Space& m, std::int64_t key_pair, std::int64_t chunk, std::int64_t k0) const {
    const View &k = views_.k, &v = views_.v, &d_k = views_.d_k, &d_v = views_.d_v;
    const std::int64_t rows = std::min(kRows, h_.keys - k0);
    const S* k_from = h_.key_at<S>(k, key_pair) + k0 * k.row_stride;
    const S* v_from = h_.key_at<S>(v, key_pair) + k0 * v.row_stride;
    const KeyBlock keys{k0, rows, ScoreRows<E, S>(k_from, k.row_stride, rows, h_.d, m.k_rows),
                        ScoreRows<E, S>(v_from, v.row_stride, rows, h_.d, m.v_rows)};
    pack_straight(k_from, k.row_stride, rows, h_.d, m.k_panels);
    std::fill(m.sum_k, m.sum_k + 2 * kRows * width_, T(0));
    // A causal key is visible to the queries from its own position on.
    const std::int64_t q_begin = causal_ ? k0 / kTileCols<T> * kTileCols<T> : std::int64_t{0};
    // All blocks of queries of all heads of the group.
    const std::int64_t steps = ceil_div(std::max<std::int64_t>(0, h_.queries - q_begin), kCols);
    for (std::int64_t step = 0; step < h_.group * steps; ++step) {
      const std::int64_t head = step / steps, q0 = q_begin + step % steps * kCols;
      add_queries(m, keys, key_pair * h_.group + head, q0, sum_of(key_pair, chunk, head));
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto same = [](V x) { return x; };
      map_elements(h_.d, h_.key_at<S>(d_k, key_pair) + (k0 + i) * d_k.row_stride, same,
                   static_cast<const T*>(m.sum_k + i * width_));
      map_elements(h_.d, h_.key_at<S>(d_v, key_pair) + (k0 + i) * d_v.row_stride, same,
                   static_cast<const T*>(m.sum_v + i * width_));
    }
  }

  /// The terms of a block of keys and the queries of a pair from `q0` on.
  void add_queries(const Space& m, const KeyBlock& keys, std::int64_t pair, std::int64_t q0,
                   T* sum_q) const {
    const AddedScores<T> added(bias_, h_, pair);
    const T* pair_packed = packed_ + (pair - first_pair_) * packed_elements_;
    const auto* q_transposed = reinterpret_cast<const E*>(pair_packed);
    const auto* d_transposed = reinterpret_cast<const E*>(pair_packed + transposed_);
    const T* q_panels = pair_packed + 2 * transposed_;
    const T* d_panels = q_panels + straight_;
    const T* dot = d_panels + straight_;
    const T* lse = views_.log_sum_exp.as<T>() + pair * h_.queries;
    const std::int64_t cols = std::min(kCols, h_.queries - q0), rows = keys.rows;
    keys.k.scores_with(q_transposed, q0, cols, m.s, alpha_);
    keys.v.scores_with(d_transposed, q0, cols, m.ds, T(1));
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t key = keys.first + i;
      add_to_key_row(m.s + i * kTileStride, cols, added, h_.keys, key, q0);
      score_gradient_row(m.s + i * kTileStride, m.ds + i * kTileStride, cols,
                         causal_ ? key - q0 : std::int64_t{0}, lse + q0, dot + q0);
    }
    rows_product(m.s, rows, cols, d_panels + q0 * kTileCols<T>, h_.queries * kTileCols<T>, h_.d,
                 m.sum_v, width_, T(1), true);
    rows_product(m.ds, rows, cols, q_panels + q0 * kTileCols<T>, h_.queries * kTileCols<T>, h_.d,
                 m.sum_k, width_, alpha_, true);
    add_query_gradient(m, rows, cols, sum_q + q0 * sum_stride_);
  }

  /// dQ += scale·dSᵀ·K.
  void add_query_gradient(const Space& m, std::int64_t rows, std::int64_t cols, T* sum_q) const {
    for (std::int64_t i = 0; i < cols; i += kTileRows) {
      const int count = static_cast<int>(std::min<std::int64_t>(kTileRows, cols - i));
      pack_rows(static_cast<const T*>(m.ds), std::int64_t{kTileStride}, true, i, count, 0, rows,
                m.columns);
      for (std::int64_t n = 0; n < h_.d; n += kTileCols<T>) {
        const int n_cols = static_cast<int>(std::min<std::int64_t>(kTileCols<T>, h_.d - n));
        tile_kernel<T>(count, n_cols > V::kLanes, TileA::packed_columns)(
            {m.columns, 0, m.k_panels + n * rows, kTileCols<T>, rows, sum_q + i * sum_stride_ + n,
             sum_stride_, n_cols, alpha_, true, nullptr});
      }
    }
  }

  /// dQ of `pairs` pairs: the sums of their tasks, in the order of the keys.
  void add_partials(std::int64_t pairs) const {
    for_ranges(pool_, pairs * h_.queries, row_grain(h_.d),
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t r = begin; r < end; ++r) {
                   add_partials_of(r / h_.queries, r % h_.queries);
                 }
               });
  }

  void add_partials_of(std::int64_t place, std::int64_t query) const {
    T* sums = partials_ + query * width_ +
              (place / h_.group * groups_ * h_.group + place % h_.group) * partial_;
    for (std::int64_t g = 1; g < groups_; ++g) {
      map_elements(
          h_.d, sums, [](V a, V b) { return a + b; }, static_cast<const T*>(sums),
          static_cast<const T*>(sums + g * h_.group * partial_));
    }
    map_elements(
        h_.d, h_.at<S>(views_.d_q, first_pair_ + place) + query * views_.d_q.row_stride,
        [](V x) { return x; }, static_cast<const T*>(sums));
  }

  ThreadPool& pool_;
  Scratch& scratch_;
  const GradientViews views_;
  const AttentionBias& bias_;
  const Heads h_;
  const bool causal_;
  const T alpha_;
  // Elements of a row of panels over d, of one packed operand each way, and of a pair's packed
  // operands.
  const std::int64_t width_, transposed_, straight_, packed_elements_;
  const std::int64_t blocks_;                     ///< of keys
  std::int64_t at_once_, groups_, group_blocks_;  ///< key pairs; tasks of one, and their blocks
  bool in_place_;                                 ///< dQ is summed where it is wanted
  std::int64_t partial_, sum_stride_;
  std::int64_t first_pair_ = 0;  ///< of those that are packed
  T *packed_ = nullptr, *partials_ = nullptr;
};

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
      const GradientViews views{q, k, v, out, log_sum_exp, d_out, d_q, d_k, d_v};
      AttentionGradient<S, E>(pool_, scratch_, views, bias, h, options).run();
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
