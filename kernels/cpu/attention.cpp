#include <cmath>
#include <limits>

#include "kernels/cpu/attention_tile.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// Softmax numerators of one row of scores in place; columns from `valid` on count as masked.
/// Updates the row's running maximum and sum, returns the factor for the earlier sums.
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

/// Operands and results of the forward pass.
struct AttentionViews {
  const View &q, &k, &v, &out, &log_sum_exp;
};

/// The forward pass of all (sample, head) pairs, with K and V of as many at once as fit into
/// kPacked bytes.
template <typename S, typename E>
class AttentionForward {
  using T = accumulator_t<S>;
  using V = Vec<T>;

 public:
  AttentionForward(ThreadPool& pool, Scratch& scratch, const AttentionViews& views,
                   const AttentionBias& bias, const Heads& heads, const AttentionOptions& options)
      : pool_(pool),
        scratch_(scratch),
        views_(views),
        bias_(bias),
        h_(heads),
        causal_(options.causal),
        alpha_(static_cast<T>(options.scale)),
        width_(ceil_div(heads.d, kTileCols<T>) * kTileCols<T>),
        k_elements_(ceil_div(heads.keys, kTileCols<T>) * kTileCols<T> * heads.d),
        pair_elements_(k_elements_ + heads.keys * width_),
        blocks_(ceil_div(heads.queries, kRows)),
        block_rows_(ceil_div(heads.queries, blocks_)) {}

  void run() {
    const std::int64_t pair_bytes = pair_elements_ * static_cast<std::int64_t>(sizeof(T));
    const std::int64_t at_once = std::clamp<std::int64_t>(kPacked / pair_bytes, 1, h_.key_pairs());
    for (std::int64_t p0 = 0; p0 < h_.key_pairs(); p0 += at_once) {
      const std::int64_t pairs = std::min(at_once, h_.key_pairs() - p0);
      packed_ = static_cast<T*>(scratch_.shared(static_cast<std::size_t>(pairs * pair_bytes)));
      pool_.run(2 * pairs,
                [&](std::int64_t chunk, int) { pack(p0, chunk / 2, /*keys=*/chunk % 2 == 0); });
      pool_.run(pairs * h_.group * blocks_, [&](std::int64_t chunk, int thread) {
        attend(p0 * h_.group + chunk / blocks_,
               packed_ + chunk / (h_.group * blocks_) * pair_elements_,
               chunk % blocks_ * block_rows_, thread);
      });
    }
  }

 private:
  /// A block of queries of one pair, and a thread's scratch: their scores, sums of V, and of each
  /// row the largest score and the sum of the numerators.
  struct Block {
    std::int64_t first, rows;
    T *s, *sum_v, *maximum, *sum;
  };

  /// K or V of a pair as panels.
  void pack(std::int64_t first_pair, std::int64_t place, bool keys) const {
    const View &k = views_.k, &v = views_.v;
    const std::int64_t pair = first_pair + place;
    T* to = packed_ + place * pair_elements_;
    if (keys) {
      pack_transposed(h_.key_at<S>(k, pair), k.row_stride, h_.keys, h_.d, reinterpret_cast<E*>(to));
    } else {
      pack_straight(h_.key_at<S>(v, pair), v.row_stride, h_.keys, h_.d, to + k_elements_);
    }
  }

  /// One task: the queries of a pair from `q0` on, of which there may be none.
  void attend(std::int64_t pair, const T* panels, std::int64_t q0, int thread) const {
    const std::int64_t rows = std::min(block_rows_, h_.queries - q0);
    if (rows <= 0) {
      return;
    }
    const View& q = views_.q;
    const AddedScores<T> added(bias_, h_, pair);
    const std::int64_t q_elements = ceil_div(h_.d, kDepth) * kRows * kTileStride;
    const std::int64_t elements = q_elements + kRows * (kTileStride + width_ + 2);
    T* q_rows =
        static_cast<T*>(scratch_.of_thread(thread, static_cast<std::size_t>(elements) * sizeof(T)));
    Block b{q0, rows, q_rows + q_elements, nullptr, nullptr, nullptr};
    b.sum_v = b.s + kRows * kTileStride;
    b.maximum = b.sum_v + kRows * width_;
    b.sum = b.maximum + kRows;
    const ScoreRows<E, S> from(h_.at<S>(q, pair) + q0 * q.row_stride, q.row_stride, rows, h_.d,
                               q_rows);
    std::fill(b.maximum, b.maximum + rows, -std::numeric_limits<T>::infinity());
    std::fill(b.sum, b.sum + rows, T(0));
    const T* v_panels = panels + k_elements_;
    const std::int64_t last = causal_ ? std::min(h_.keys, q0 + rows) : h_.keys;
    for (std::int64_t k0 = 0; k0 < last; k0 += kCols) {
      const std::int64_t cols = std::min(kCols, last - k0);
      from.scores_with(reinterpret_cast<const E*>(panels), k0, cols, b.s, alpha_);
      soften(b, added, k0, cols);
      rows_product(b.s, rows, cols, v_panels + k0 * kTileCols<T>, h_.keys * kTileCols<T>, h_.d,
                   b.sum_v, width_, T(1), k0 > 0);
    }
    write(b, pair);
  }

  /// Scores of the keys from `k0` on become numerators; earlier sums of V are scaled to them.
  void soften(const Block& b, const AddedScores<T>& added, std::int64_t k0,
              std::int64_t cols) const {
    for (std::int64_t i = 0; i < b.rows; ++i) {
      T* scores = b.s + i * kTileStride;
      add_to_query_row(scores, cols, added, h_.keys, b.first + i, k0);
      const std::int64_t valid =
          causal_ ? std::clamp<std::int64_t>(b.first + i + 1 - k0, 0, cols) : cols;
      if (valid == 0) {
        std::fill(scores, scores + cols, T(0));
        continue;
      }
      const V factor(soften_row(scores, cols, valid, b.maximum[i], b.sum[i]));
      if (k0 > 0) {
        T* row = b.sum_v + i * width_;
        for (std::int64_t c = 0; c < width_; c += V::kLanes) {
          store(row + c, factor * load(row + c));
        }
      }
    }
  }

  void write(const Block& b, std::int64_t pair) const {
    const View& out = views_.out;
    for (std::int64_t i = 0; i < b.rows; ++i) {
      const V inverse(T(1) / b.sum[i]);
      map_elements(
          h_.d, h_.at<S>(out, pair) + (b.first + i) * out.row_stride,
          [&](V x) { return x * inverse; }, static_cast<const T*>(b.sum_v + i * width_));
      views_.log_sum_exp.as<T>()[pair * h_.queries + b.first + i] =
          b.maximum[i] + std::log(b.sum[i]);
    }
  }

  ThreadPool& pool_;
  Scratch& scratch_;
  const AttentionViews views_;
  const AttentionBias& bias_;
  const Heads h_;
  const bool causal_;
  const T alpha_;
  const std::int64_t width_;                       ///< of a row of panels over d
  const std::int64_t k_elements_, pair_elements_;  ///< packed: of K, and of K and V
  const std::int64_t blocks_, block_rows_;         ///< of the queries of a pair
  T* packed_ = nullptr;
};

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
      const AttentionViews views{q, k, v, out, log_sum_exp};
      AttentionForward<S, E>(pool_, scratch_, views, bias, h, options).run();
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
