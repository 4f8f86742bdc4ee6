// Elementwise optimizer rules over any storage: AdamW, Lion, SGD, Prodigy.
#include <cmath>

#include "kernels/cpu/optim_tile.h"

namespace mantissa::MANTISSA_ISA {
namespace {

using V = Vec<float>;

/// The numbers of one step, rounded once from the options' fp64.
struct Constants {
  Constants(const UpdateOptions& o, double learning_rate)
      : grad_scale(static_cast<float>(o.grad_scale)),
        beta1(static_cast<float>(o.beta1)),
        rest1(static_cast<float>(1.0 - o.beta1)),
        beta2(static_cast<float>(o.beta2)),
        rest2(static_cast<float>(1.0 - o.beta2)),
        eps(static_cast<float>(o.eps)),
        rate(static_cast<float>(learning_rate)),
        decay(static_cast<float>(o.weight_decay)),
        inverse1(static_cast<float>(1.0 / o.correction1)),
        inverse2(static_cast<float>(1.0 / std::sqrt(o.correction2))) {}
  V grad_scale, beta1, rest1, beta2, rest2, eps, rate, decay, inverse1, inverse2;
};

/// -1, 0 or 1; NaN stays.
MANTISSA_INLINE V sign(V x) {
  const V zero(0.0F);
  const V s = select_negative(x, V(-1.0F), select_negative(zero - x, V(1.0F), zero));
  return fma(x, zero, s);
}

/// Moves the moments and returns the change of the parameter.
template <UpdateRule kRule>
MANTISSA_INLINE V apply_rule(const Constants& c, V p, V gradient, V& m, V& v) {
  const V g = gradient * c.grad_scale;
  V u;
  if constexpr (kRule == UpdateRule::adamw) {
    m = fma(c.beta1, m, c.rest1 * g);
    v = fma(c.beta2, v, c.rest2 * g * g);
    u = m * c.inverse1 / fma(vsqrt(v), c.inverse2, c.eps);
  } else if constexpr (kRule == UpdateRule::lion) {
    u = sign(fma(c.beta1, m, c.rest1 * g));
    m = fma(c.beta2, m, c.rest2 * g);
  } else if constexpr (kRule == UpdateRule::sgd) {
    m = fma(c.beta1, m, g);
    u = m;
  } else {
    u = m / (vsqrt(v) + c.eps);
  }
  return V(0.0F) - c.rate * fma(c.decay, p, u);
}

/// One piece. With fp32 parameters they are moved in place; else the changes go to `delta`.
template <UpdateRule kRule, bool kInPlace>
void update_piece(const Constants& c, std::int64_t n, float* p, const float* g, float* m, float* v,
                  float* delta) {
  constexpr bool kSecond = kRule == UpdateRule::adamw || kRule == UpdateRule::prodigy;
  constexpr bool kMoves = kRule != UpdateRule::prodigy;
  for (std::int64_t i = 0; i < n; i += V::kLanes) {
    const int rest = static_cast<int>(std::min<std::int64_t>(V::kLanes, n - i));
    V m1 = load_n(m + i, rest), v1(0.0F);
    if constexpr (kSecond) {
      v1 = load_n(v + i, rest);
    }
    const V p1 = load_n(p + i, rest);
    const V change = apply_rule<kRule>(c, p1, load_n(g + i, rest), m1, v1);
    if constexpr (kMoves) {
      store_n(m + i, m1, rest);
      if constexpr (kSecond) {
        store_n(v + i, v1, rest);
      }
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
  constexpr bool kSecond = kRule == UpdateRule::adamw || kRule == UpdateRule::prodigy;
  constexpr bool kMoves = kRule != UpdateRule::prodigy;
  const Constants constants(o, t.learning_rate);
  const bool in_place = t.parameter.dtype == DType::f32;
  const bool all_fp32 = in_place && t.gradient.dtype == DType::f32 &&
                        t.m.values.dtype == DType::f32 &&
                        (!kSecond || t.v.values.dtype == DType::f32);
  const std::int64_t step = all_fp32 ? end - begin : kTile;
  for (std::int64_t i = begin; i < end; i += step) {
    const int n = static_cast<int>(std::min(step, end - i));
    float* p = load_tile(t.parameter, i, n, tile.p);
    const float* g = load_tile(t.gradient, i, n, tile.g);
    float* m = load_moment(t.m, true, i, n, tile.m);
    float* v = kSecond ? load_moment(t.v, false, i, n, tile.v) : nullptr;
    if (in_place) {
      update_piece<kRule, true>(constants, n, p, g, m, v, nullptr);
    } else {
      update_piece<kRule, false>(constants, n, p, g, m, v, tile.delta);
      store_parameter(t.parameter, t.compensation, o.rounding, i, n, p, tile.delta, o.key, t.first,
                      tile.random);
    }
    if constexpr (kMoves) {
      store_moment(t.m, true, i, n, m, o.key, RoundedBuffer::m, t.first, tile.random);
      if constexpr (kSecond) {
        store_moment(t.v, false, i, n, v, o.key, RoundedBuffer::v, t.first, tile.random);
      }
    }
  }
}

/// Sums of g·(p₀-p) and |s| over one chunk, moments and s moved.
ProdigySums observe_chunk(const ParameterUpdate& t, const ProdigyOptions& o, std::int64_t begin,
                          std::int64_t end, TileBuffers& tile) {
  const V scale(static_cast<float>(o.grad_scale)), beta1(static_cast<float>(o.beta1)),
      beta2(static_cast<float>(o.beta2)), beta3(static_cast<float>(o.beta3)),
      gain1(static_cast<float>(o.d * (1.0 - o.beta1))),
      gain2(static_cast<float>(o.d * o.d * (1.0 - o.beta2))), gain3(static_cast<float>(o.gain));
  ProdigySums sums;
  for (std::int64_t i = begin; i < end; i += kTile) {
    const int n = static_cast<int>(std::min<std::int64_t>(kTile, end - i));
    const float* p = load_tile(t.parameter, i, n, tile.p);
    const float* g = load_tile(t.gradient, i, n, tile.g);
    const float* start = load_tile(t.start, i, n, tile.start);
    float* m = load_moment(t.m, true, i, n, tile.m);
    float* v = load_moment(t.v, false, i, n, tile.v);
    float* s = load_moment(t.s, true, i, n, tile.s);
    V agreement(0.0F), path(0.0F);
    for (int j = 0; j < n; j += V::kLanes) {
      const int rest = std::min(V::kLanes, n - j);
      const V gj = load_n(g + j, rest) * scale;
      agreement = fma(gj, load_n(start + j, rest) - load_n(p + j, rest), agreement);
      store_n(m + j, fma(beta1, load_n(m + j, rest), gain1 * gj), rest);
      store_n(v + j, fma(beta2, load_n(v + j, rest), gain2 * gj * gj), rest);
      const V sj = fma(beta3, load_n(s + j, rest), gain3 * gj);
      store_n(s + j, sj, rest);
      path = path + vabs(sj);
    }
    sums.agreement += static_cast<double>(sum_lanes(agreement));
    sums.path += static_cast<double>(sum_lanes(path));
    store_moment(t.m, true, i, n, m, o.key, RoundedBuffer::m, t.first, tile.random);
    store_moment(t.v, false, i, n, v, o.key, RoundedBuffer::v, t.first, tile.random);
    store_moment(t.s, true, i, n, s, o.key, RoundedBuffer::s, t.first, tile.random);
  }
  return sums;
}

}  // namespace

void CpuKernels::optimizer_step(std::span<const ParameterUpdate> tensors, const UpdateOptions& o) {
  const char* kernel = "optimizer_step";
  const bool second = o.rule == UpdateRule::adamw || o.rule == UpdateRule::prodigy;
  for (const ParameterUpdate& t : tensors) {
    check_trained(t.parameter, t.gradient, t.compensation, o.rounding, kernel);
    check_moment(t.m, t.parameter.count(), kernel, "m");
    if (second) {
      check_moment(t.v, t.parameter.count(), kernel, "v");
    }
  }
  check_kernel(o.correction1 > 0.0 && o.correction2 > 0.0, kernel,
               "the bias corrections 1 - beta^t must be positive");
  const std::vector<UpdateChunk> chunks = update_chunks(tensors);
  pool_.run(static_cast<std::int64_t>(chunks.size()), [&](std::int64_t i, int thread) {
    const UpdateChunk& c = chunks[static_cast<std::size_t>(i)];
    const ParameterUpdate& t = tensors[c.tensor];
    auto& tile = *static_cast<TileBuffers*>(scratch_.of_thread(thread, sizeof(TileBuffers)));
    switch (o.rule) {
      case UpdateRule::adamw:
        return update_chunk<UpdateRule::adamw>(t, o, c.begin, c.end, tile);
      case UpdateRule::lion:
        return update_chunk<UpdateRule::lion>(t, o, c.begin, c.end, tile);
      case UpdateRule::sgd:
        return update_chunk<UpdateRule::sgd>(t, o, c.begin, c.end, tile);
      case UpdateRule::prodigy:
        return update_chunk<UpdateRule::prodigy>(t, o, c.begin, c.end, tile);
    }
  });
}

ProdigySums CpuKernels::prodigy_observe(std::span<const ParameterUpdate> tensors,
                                        const ProdigyOptions& o) {
  const char* kernel = "prodigy_observe";
  for (const ParameterUpdate& t : tensors) {
    const std::int64_t n = t.parameter.count();
    check_trained(t.parameter, t.gradient, {}, Rounding::nearest, kernel);
    check_moment(t.m, n, kernel, "m");
    check_moment(t.v, n, kernel, "v");
    check_moment(t.s, n, kernel, "s");
    check_buffer(t.start, n, kernel, "start");
    check_dtype(t.start, t.parameter.dtype, kernel, "start");
  }
  const std::vector<UpdateChunk> chunks = update_chunks(tensors);
  const auto count = static_cast<std::int64_t>(chunks.size());
  auto* partial = static_cast<double*>(scratch_.shared(chunks.size() * 2 * sizeof(double)));
  pool_.run(count, [&](std::int64_t i, int thread) {
    const UpdateChunk& c = chunks[static_cast<std::size_t>(i)];
    auto& tile = *static_cast<TileBuffers*>(scratch_.of_thread(thread, sizeof(TileBuffers)));
    const ProdigySums sums = observe_chunk(tensors[c.tensor], o, c.begin, c.end, tile);
    partial[i] = sums.agreement;
    partial[count + i] = sums.path;
  });
  return {tree_sum(partial, count), tree_sum(partial + count, count)};
}

}  // namespace mantissa::MANTISSA_ISA
