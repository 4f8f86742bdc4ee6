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
  const std::int64_t at_once = std::clamp<std::int64_t>(kPacked / pair_bytes, 1, h.key_pairs());
  const std::int64_t blocks = ceil_div(h.queries, kRows);
  const std::int64_t block_rows = ceil_div(h.queries, blocks);
  const std::int64_t q_elements = ceil_div(h.d, kDepth) * kRows * kTileStride;
  for (std::int64_t p0 = 0; p0 < h.key_pairs(); p0 += at_once) {
    const std::int64_t pairs = std::min(at_once, h.key_pairs() - p0);
    T* packed = static_cast<T*>(scratch.shared(static_cast<std::size_t>(pairs * pair_bytes)));
    pool.run(2 * pairs, [&](std::int64_t chunk, int) {
      T* to = packed + chunk / 2 * (k_elements + v_elements);
      if (chunk % 2 == 0) {
        pack_transposed(h.key_at<S>(k, p0 + chunk / 2), k.row_stride, h.keys, h.d,
                        reinterpret_cast<E*>(to));
      } else {
        pack_straight(h.key_at<S>(v, p0 + chunk / 2), v.row_stride, h.keys, h.d, to + k_elements);
      }
    });
    pool.run(pairs * h.group * blocks, [&](std::int64_t chunk, int thread) {
      const std::int64_t pair = p0 * h.group + chunk / blocks;
      const AddedScores<T> added(bias, h, pair);
      const T* panels = packed + chunk / (h.group * blocks) * (k_elements + v_elements);
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

}  // namespace mantissa::MANTISSA_ISA
