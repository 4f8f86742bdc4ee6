// The elementwise rules of update_rule.h over any storage.
#include <cmath>

#include "kernels/cpu/optim_tile.h"
#include "kernels/update_rule.h"

namespace mantissa::MANTISSA_ISA {
namespace {

using V = Vec<float>;

using Constants = UpdateConstants<V>;

/// One piece. fp32 parameters are updated in place; else the changes go to `delta`.
template <UpdateRule kRule, bool kInPlace>
void update_piece(const Constants& c, std::int64_t n, float* p, const float* g, float* m, float* v,
                  float* delta) {
  constexpr bool kFirst = has_first_moment(kRule), kSecond = has_second_moment(kRule);
  for (std::int64_t i = 0; i < n; i += V::kLanes) {
    const int rest = static_cast<int>(std::min<std::int64_t>(V::kLanes, n - i));
    V m1(0.0F), v1(0.0F);
    if constexpr (kFirst) {
      m1 = load_n(m + i, rest);
    }
    if constexpr (kSecond) {
      v1 = load_n(v + i, rest);
    }
    const V p1 = load_n(p + i, rest);
    const V change = apply_rule<kRule>(c, p1, load_n(g + i, rest), m1, v1);
    if constexpr (moves_first(kRule)) {
      store_n(m + i, m1, rest);
    }
    if constexpr (moves_second(kRule)) {
      store_n(v + i, v1, rest);
    }
    if constexpr (kInPlace) {
      store_n(p + i, p1 + change, rest);
    } else {
      store_n(delta + i, change, rest);
    }
  }
}

template <UpdateRule kRule>
void update_chunk(const ParameterUpdate& t, const UpdateOptions& o, std::int64_t begin,
                  std::int64_t end, TileBuffers& tile) {
  constexpr bool kFirst = has_first_moment(kRule), kSecond = has_second_moment(kRule);
  const Constants constants(o, t.rate_ratio, t.factor);
  const bool in_place = t.parameter.dtype == DType::f32;
  const bool all_fp32 = in_place && t.gradient.dtype == DType::f32 &&
                        (!kFirst || t.m.values.dtype == DType::f32) &&
                        (!kSecond || t.v.values.dtype == DType::f32);
  const std::int64_t step = all_fp32 ? end - begin : kTile;
  for (std::int64_t i = begin; i < end; i += step) {
    const int n = static_cast<int>(std::min(step, end - i));
    float* p = load_tile(t.parameter, i, n, tile.p);
    const float* g = load_tile(t.gradient, i, n, tile.g);
    float* m = kFirst ? load_moment(t.m, true, i, n, tile.m) : nullptr;
    float* v = kSecond ? load_moment(t.v, false, i, n, tile.v) : nullptr;
    if (in_place) {
      update_piece<kRule, true>(constants, n, p, g, m, v, nullptr);
    } else {
      update_piece<kRule, false>(constants, n, p, g, m, v, tile.delta);
      store_parameter(t.parameter, t.compensation, o.rounding, i, n, p, tile.delta, o.key, t.first,
                      tile.random);
    }
    if constexpr (moves_first(kRule)) {
      store_moment(t.m, true, i, n, m, o.key, RoundedBuffer::m, t.first, tile.random);
    }
    if constexpr (moves_second(kRule)) {
      store_moment(t.v, false, i, n, v, o.key, RoundedBuffer::v, t.first, tile.random);
    }
  }
}

/// Sums over one chunk.
struct ObservedSums {
  ProdigySums sums;
  double squares = 0;  ///< Σu², schedule-free
};

/// Sums of g·(p₀-p) and |s| over one chunk, updating moments and s.
ObservedSums observe_chunk(const ParameterUpdate& t, const ProdigyOptions& o, std::int64_t begin,
                           std::int64_t end, TileBuffers& tile) {
  const ObserveConstants<V> c(o);
  const auto scale = static_cast<float>(o.grad_scale);
  ObservedSums result;
  ProdigySums& sums = result.sums;
  for (std::int64_t i = begin; i < end; i += kTile) {
    const int n = static_cast<int>(std::min<std::int64_t>(kTile, end - i));
    float* p = load_tile(t.parameter, i, n, tile.p);
    const float* g = load_tile(t.gradient, i, n, tile.g);
    const float* start = load_tile(t.start, i, n, tile.start);
    float* m = load_moment(t.m, true, i, n, tile.m);
    float* v = load_moment(t.v, false, i, n, tile.v);
    float* s = load_moment(t.s, true, i, n, tile.s);
    const float* at = p;  // the path's point
    if (o.schedule_free) {
      for (int j = 0; j < n; j += V::kLanes) {
        const int rest = std::min(V::kLanes, n - j);
        V v1 = load_n(v + j, rest), s1 = load_n(s + j, rest);
        const V u = observe_schedule_free(c, load_n(g + j, rest), v1, s1);
        store_n(tile.update + j, u, rest);
        store_n(tile.delta + j, schedule_free_z(c, load_n(p + j, rest), load_n(m + j, rest)), rest);
        store_n(v + j, v1, rest);
        store_n(s + j, s1, rest);
      }
      at = tile.delta;
      result.squares += square_sum(tile.update, n);
    } else {
      for (int j = 0; j < n; j += V::kLanes) {
        const int rest = std::min(V::kLanes, n - j);
        V m1 = load_n(m + j, rest), v1 = load_n(v + j, rest), s1 = load_n(s + j, rest);
        observe(c, load_n(g + j, rest), m1, v1, s1);
        store_n(m + j, m1, rest);
        store_n(v + j, v1, rest);
        store_n(s + j, s1, rest);
      }
      store_moment(t.m, true, i, n, m, o.key, RoundedBuffer::m, t.first, tile.random);
    }
    sums.agreement += lane_sum(n, [&](std::int64_t j) {
      return static_cast<double>(g[j] * scale) * static_cast<double>(start[j] - at[j]);
    });
    sums.path += lane_sum(n, [s](std::int64_t j) { return static_cast<double>(std::fabs(s[j])); });
    store_moment(t.v, false, i, n, v, o.key, RoundedBuffer::v, t.first, tile.random);
    store_moment(t.s, true, i, n, s, o.key, RoundedBuffer::s, t.first, tile.random);
  }
  return result;
}

}  // namespace

void CpuKernels::optimizer_step(std::span<const ParameterUpdate> tensors,
                                const UpdateOptions& options) {
  check_optimizer_step(tensors, options);
  UpdateOptions o = options;
  if (!take_cell(o)) {
    return;
  }
  const std::vector<UpdateChunk> chunks = update_chunks(tensors);
  pool_.run(static_cast<std::int64_t>(chunks.size()), [&](std::int64_t i, int thread) {
    const UpdateChunk& c = chunks[static_cast<std::size_t>(i)];
    const ParameterUpdate& t = tensors[c.tensor];
    auto& tile = *static_cast<TileBuffers*>(scratch_.of_thread(thread, sizeof(TileBuffers)));
    dispatch_rule(o.rule,
                  [&]<UpdateRule kRule>() { update_chunk<kRule>(t, o, c.begin, c.end, tile); });
  });
}

ProdigySums CpuKernels::prodigy_observe(std::span<const ParameterUpdate> tensors,
                                        const ProdigyOptions& o, std::span<double> squares) {
  check_prodigy_observe(tensors, o, squares);
  const std::vector<UpdateChunk> chunks = update_chunks(tensors);
  const auto count = static_cast<std::int64_t>(chunks.size());
  auto* partial = static_cast<double*>(scratch_.shared(chunks.size() * 3 * sizeof(double)));
  pool_.run(count, [&](std::int64_t i, int thread) {
    const UpdateChunk& c = chunks[static_cast<std::size_t>(i)];
    auto& tile = *static_cast<TileBuffers*>(scratch_.of_thread(thread, sizeof(TileBuffers)));
    const ObservedSums observed = observe_chunk(tensors[c.tensor], o, c.begin, c.end, tile);
    partial[i] = observed.sums.agreement;
    partial[count + i] = observed.sums.path;
    partial[2 * count + i] = observed.squares;
  });
  for (std::size_t t = 0, first = 0; t < squares.size(); ++t) {
    std::size_t end = first;
    while (end < chunks.size() && chunks[end].tensor == t) {
      ++end;
    }
    squares[t] = tree_sum(partial + 2 * count + first, static_cast<std::int64_t>(end - first));
    first = end;
  }
  return {tree_sum(partial, count), tree_sum(partial + count, count)};
}

}  // namespace mantissa::MANTISSA_ISA
