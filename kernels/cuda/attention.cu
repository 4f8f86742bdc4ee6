#include <cstddef>
#include <limits>

#include "kernels/attention_parts.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"

// Attention uses cuDNN if it has an engine. Else scores are computed by batched GEMMs, softmaxed by
// the kernels below and multiplied by v, in parts whose scores fit into bounded scratch. The
// backward pass recomputes probabilities from log_sum_exp.

namespace mantissa::cuda {

namespace {

/// Up to this many keys a warp processes a row of scores; beyond, a block.
constexpr std::int64_t kWarpKeys = 2048;

/// One part of the work: ranges of samples, heads of q, and queries. Where several heads share one
/// of k and v, all of a part do.
struct Part {
  std::int64_t sample, samples, head, heads, query, queries;
  std::int64_t pairs() const { return samples * heads; }
  std::int64_t rows() const { return pairs() * queries; }
};

/// f(part) for all of `h`, the scores of each within the scratch of a part. Parts of one head, and
/// of heads that share keys, follow each other.
template <typename F>
void for_parts(const Context& context, const Heads& h, std::size_t bytes_a_score, F&& f) {
  const AttentionParts of(h, bytes_a_score, context.part_bytes());
  for (std::int64_t s = 0; s < h.batch; s += of.samples) {
    for (std::int64_t first = 0; first < h.heads; first += of.together) {
      for (std::int64_t n = 0; n < of.together; n += of.heads) {
        for (std::int64_t q = 0; q < h.queries; q += of.queries) {
          f(Part{s, std::min(of.samples, h.batch - s), first + n,
                 std::min(of.heads, of.together - n), q, std::min(of.queries, h.queries - q)});
        }
      }
    }
  }
}

/// One matrix for each (sample, head) of a part.
struct Matrices {
  void* data;
  DType dtype;
  std::int64_t stride, outer, inner;
};

/// Tokens from `token` on of the part's heads, [tokens, d].
Matrices heads_of(const View& v, const Heads& h, const Part& part, std::int64_t token) {
  const std::int64_t offset = (part.sample * v.shape[1] + token) * v.row_stride + part.head * h.d;
  return {v.as<std::byte>() + offset * static_cast<std::int64_t>(dtype_size(v.dtype)), v.dtype,
          v.row_stride, v.shape[1] * v.row_stride, h.d};
}

/// The keys or values that the part's heads of q read: one matrix for all if they share it.
Matrices keys_of(const View& v, const Heads& h, const Part& part) {
  Part shared = part;
  shared.head /= h.group;
  Matrices matrices = heads_of(v, h, shared, 0);
  matrices.inner = h.group == 1 ? h.d : 0;
  return matrices;
}

/// Packed matrices in scratch.
Matrices packed(void* data, DType dtype, const Part& part, std::int64_t rows, std::int64_t stride) {
  return {data, dtype, stride, part.heads * rows * stride, rows * stride};
}

/// The matrices from head `n` of the part on.
Matrices from_head(Matrices m, std::int64_t n) {
  m.data = static_cast<std::byte*>(m.data) +
           n * m.inner * static_cast<std::int64_t>(dtype_size(m.dtype));
  return m;
}

struct Transposed {
  bool a = false, b = false;
};

/// out [m, n] = alpha·op(a)·op(b) + beta·out for each (sample, head) of the part.
void multiply_heads(Gemm& gemm, const Part& part, const Matrices& a, const Matrices& b,
                    const Matrices& out, std::int64_t m, std::int64_t n, std::int64_t k,
                    Transposed transposed, float alpha, float beta) {
  View rows(out.data, out.dtype, {m, n});
  rows.row_stride = out.stride;
  GemmCall call = gemm_call(m, n, k, a.dtype, {a.data, a.stride, transposed.a},
                            {b.data, b.stride, transposed.b}, rows);
  call.alpha = alpha;
  call.beta = beta;
  call.outer_count = part.samples;
  call.inner_count = part.heads;
  call.a_outer = a.outer;
  call.a_inner = a.inner;
  call.b_outer = b.outer;
  call.b_inner = b.inner;
  call.out_outer = out.outer;
  call.out_inner = out.inner;
  gemm.run(call);
}

/// Description of the rows of a part's scores for the kernels.
template <typename T>
struct ScoreRows {
  std::int64_t rows, stride, keys;
  std::int64_t all_heads, all_queries;
  Part part;
  const T* bias_scores = nullptr;  ///< [heads or 1, queries, keys]
  bool bias_by_head = false;
  const T* bias_keys = nullptr;  ///< [batch, keys]
  bool causal;

  ScoreRows(const Heads& h, const Part& p, const AttentionBias& bias, bool is_causal)
      : rows(p.rows()),
        stride(score_stride(h)),
        keys(h.keys),
        all_heads(h.heads),
        all_queries(h.queries),
        part(p),
        causal(is_causal) {
    if (bias.scores) {
      bias_scores = bias.scores.as<T>();
      bias_by_head = bias.scores.shape[0] != 1;
    }
    if (bias.keys) {
      bias_keys = bias.keys.as<T>();
    }
  }
};

/// One row of scores: a query of a head.
template <typename T>
struct ScoreRow {
  const T* by_query = nullptr;  ///< bias on the scores, [keys], if any
  const T* by_key = nullptr;
  std::int64_t query;  ///< in [batch, heads, queries]
  std::int64_t valid;  ///< number of unmasked keys

  __device__ ScoreRow(const ScoreRows<T>& s, std::int64_t row) {
    const std::int64_t q = s.part.query + row % s.part.queries;
    const std::int64_t pair = row / s.part.queries;
    const std::int64_t head = s.part.head + pair % s.part.heads;
    const std::int64_t sample = s.part.sample + pair / s.part.heads;
    query = (sample * s.all_heads + head) * s.all_queries + q;
    valid = s.causal && q + 1 < s.keys ? q + 1 : s.keys;
    if (s.bias_scores != nullptr) {
      by_query = s.bias_scores + ((s.bias_by_head ? head : 0) * s.all_queries + q) * s.keys;
    }
    if (s.bias_keys != nullptr) {
      by_key = s.bias_keys + sample * s.keys;
    }
  }
  __device__ T biased(T score, std::int64_t key) const {
    score += by_query != nullptr ? by_query[key] : T(0);
    return score + (by_key != nullptr ? by_key[key] : T(0));
  }
};

/// N elements of which `count` exist; zeros for the others.
template <int N, typename T>
__device__ void load_first(const T* p, std::int64_t count, T (&to)[N]) {
  if (count >= N) {
    load_lanes<N>(p, to);
    return;
  }
#pragma unroll
  for (int i = 0; i < N; ++i) {
    to[i] = i < count ? p[i] : T(0);
  }
}

/// The rows of scores become exp(score - largest) in S; sums[row] is the row's sum. S may be T in
/// place.
template <typename S, int kTeam>
__global__ void soften_kernel(ScoreRows<accumulator_t<S>> s, const accumulator_t<S>* scores,
                              S* softened, accumulator_t<S>* sums, accumulator_t<S>* log_sum_exp) {
  using T = accumulator_t<S>;
  constexpr int N = kPack<T>;
  const std::int64_t row = global_thread() / kTeam;
  if (row >= s.rows) {
    return;  // whole warps; a block with one row stays
  }
  const ScoreRow<T> at(s, row);
  const T* from = scores + row * s.stride;
  S* to = softened + row * s.stride;
  const std::int64_t first = static_cast<std::int64_t>(threadIdx.x) % kTeam * N;
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  T top = kLowest;
  for (std::int64_t c = first; c < at.valid; c += kTeam * N) {
    T v[N];
    load_first<N>(from + c, at.valid - c, v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T score = c + i < at.valid ? at.biased(v[i], c + i) : kLowest;
      top = score > top ? score : top;
    }
  }
  top = team_reduce<kTeam>(top, kLowest, [](T a, T b) { return a > b ? a : b; });
  T sum = T(0);
  for (std::int64_t c = first; c < s.keys; c += kTeam * N) {
    T v[N];
    load_first<N>(from + c, at.valid - c, v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      v[i] = c + i < at.valid ? std::exp(at.biased(v[i], c + i) - top) : T(0);
      sum += v[i];
    }
    store_lanes<N>(to + c, v);
  }
  sum = team_sum<kTeam>(sum);
  if (static_cast<int>(threadIdx.x) % kTeam == 0) {
    sums[row] = sum;
    log_sum_exp[at.query] = top + std::log(sum);
  }
}

/// out = product / sums: product [rows, d] of a part, out its heads inside [tokens, heads·d].
template <typename S>
__global__ void normalize_kernel(const accumulator_t<S>* product, const accumulator_t<S>* sums,
                                 Part part, std::int64_t rows, std::int64_t d, S* out,
                                 std::int64_t stride, std::int64_t outer, std::int64_t inner) {
  for (std::int64_t i = global_thread(); i < rows * d; i += global_threads()) {
    const std::int64_t row = i / d, q = row % part.queries, pair = row / part.queries;
    S* to = out + pair / part.heads * outer + pair % part.heads * inner + q * stride + i % d;
    store(to, product[i] / (sums == nullptr ? accumulator_t<S>(1) : sums[row]));
  }
}

/// `product` [rows, d], divided by `sums` if given, rounded into the matrices `out`; part.queries
/// counts the rows of each.
template <typename S>
void store_heads(cudaStream_t stream, const accumulator_t<S>* product, const accumulator_t<S>* sums,
                 const Part& part, std::int64_t d, const Matrices& out) {
  launch<normalize_kernel<S>>(stream, grid_for(part.rows() * d), product, sums, part, part.rows(),
                              d, static_cast<S*>(out.data), out.stride, out.outer, out.inner);
}

/// dots[pair, query] = Σ out·d_out over the head, a warp each.
template <typename S>
__global__ void output_dots_kernel(const S* out, std::int64_t out_stride, const S* d_out,
                                   std::int64_t d_stride, std::int64_t rows, std::int64_t heads,
                                   std::int64_t queries, std::int64_t d, accumulator_t<S>* dots) {
  using T = accumulator_t<S>;
  const std::int64_t row = global_thread() / kWarp;
  if (row >= rows) {
    return;
  }
  const std::int64_t pair = row / queries;
  const std::int64_t token = pair / heads * queries + row % queries, column = pair % heads * d;
  const S* a = out + token * out_stride + column;
  const S* b = d_out + token * d_stride + column;
  T sum = T(0);
  for (std::int64_t c = threadIdx.x % kWarp; c < d; c += kWarp) {
    sum = std::fma(load(a + c), load(b + c), sum);
  }
  sum = team_sum<kWarp>(sum);
  if (threadIdx.x % kWarp == 0) {
    dots[row] = sum;
  }
}

/// Scores become probabilities P, and their gradients dP become P∘(dP - D), both in S; S may be T
/// in place.
template <typename S, int kTeam>
__global__ void score_gradient_kernel(ScoreRows<accumulator_t<S>> s, const accumulator_t<S>* scores,
                                      const accumulator_t<S>* d_scores,
                                      const accumulator_t<S>* log_sum_exp,
                                      const accumulator_t<S>* dots, S* probabilities,
                                      S* gradients) {
  using T = accumulator_t<S>;
  constexpr int N = kPack<T>;
  const std::int64_t row = global_thread() / kTeam;
  if (row >= s.rows) {
    return;
  }
  const ScoreRow<T> at(s, row);
  const T shift = log_sum_exp[at.query], dot = dots[at.query];
  for (std::int64_t c = static_cast<std::int64_t>(threadIdx.x) % kTeam * N; c < s.keys;
       c += kTeam * N) {
    T p[N], d[N];
    load_first<N>(scores + row * s.stride + c, at.valid - c, p);
    load_first<N>(d_scores + row * s.stride + c, at.valid - c, d);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const bool counts = c + i < at.valid;
      p[i] = counts ? std::exp(at.biased(p[i], c + i) - shift) : T(0);
      d[i] = counts ? p[i] * (d[i] - dot) : T(0);
    }
    store_lanes<N>(probabilities + row * s.stride + c, p);
    store_lanes<N>(gradients + row * s.stride + c, d);
  }
}

/// One warp or block per row of scores.
Grid score_grid(std::int64_t rows, bool warps) {
  return {dim3(static_cast<unsigned>(warps ? ceil_div(rows, kThreads / kWarp) : rows)), kThreads,
          0};
}
/// f.operator()<threads per row of scores>()
template <typename F>
void dispatch_team(bool warps, F&& f) {
  if (warps) {
    f.template operator()<kWarp>();
  } else {
    f.template operator()<kThreads>();
  }
}

template <typename S>
void attention_forward(Context& context, Gemm& gemm, const Heads& h, const View& q, const View& k,
                       const View& v, const AttentionBias& bias, const View& out,
                       const View& log_sum_exp, const AttentionOptions& options) {
  using T = accumulator_t<S>;
  constexpr bool kInPlace = std::is_same_v<S, T>;
  const DType wide = statistics_dtype(q.dtype);
  const std::int64_t stride = score_stride(h);
  const bool warps = h.keys <= kWarpKeys;
  for_parts(context, h, sizeof(T) + (kInPlace ? 0 : sizeof(S)), [&](const Part& part) {
    T* scores = context.scratch<T>(Scratch::scores, part.rows() * stride);
    S* softened = nullptr;
    if constexpr (kInPlace) {
      softened = scores;
    } else {
      softened = context.scratch<S>(Scratch::operand_a, part.rows() * stride);
    }
    T* sums = context.scratch<T>(Scratch::partial, part.rows());
    T* product = context.scratch<T>(Scratch::operand_c, part.rows() * h.d);
    multiply_heads(gemm, part, heads_of(q, h, part, part.query), keys_of(k, h, part),
                   packed(scores, wide, part, part.queries, stride), part.queries, h.keys, h.d,
                   {false, true}, options.scale, 0);
    dispatch_team(warps, [&]<int kTeam>() {
      launch<soften_kernel<S, kTeam>>(context.stream(), score_grid(part.rows(), warps),
                                      ScoreRows<T>(h, part, bias, options.causal), scores, softened,
                                      sums, log_sum_exp.as<T>());
    });
    multiply_heads(gemm, part, packed(softened, q.dtype, part, part.queries, stride),
                   keys_of(v, h, part), packed(product, wide, part, part.queries, h.d),
                   part.queries, h.d, h.keys, {}, 1, 0);
    store_heads<S>(context.stream(), product, sums, part, h.d, heads_of(out, h, part, part.query));
  });
}

template <typename S>
void attention_gradient(Context& context, Gemm& gemm, const Heads& h, const View& q, const View& k,
                        const View& v, const AttentionBias& bias, const View& out,
                        const View& log_sum_exp, const View& d_out, const View& d_q,
                        const View& d_k, const View& d_v, const AttentionOptions& options) {
  using T = accumulator_t<S>;
  constexpr bool kInPlace = std::is_same_v<S, T>;
  const DType type = q.dtype, wide = statistics_dtype(type);
  const cudaStream_t stream = context.stream();
  const std::int64_t score_columns = score_stride(h), all_rows = h.pairs() * h.queries;
  const bool warps = h.keys <= kWarpKeys;
  T* dots = context.scratch<T>(Scratch::partial, all_rows);
  launch<output_dots_kernel<S>>(stream, score_grid(all_rows, true), out.as<S>(), out.row_stride,
                                d_out.as<S>(), d_out.row_stride, all_rows, h.heads, h.queries, h.d,
                                dots);
  // If the queries that read one head of keys come in several parts or heads, dK and dV are summed
  // over them unrounded.
  const std::int64_t sum_rows = (h.group == 1 ? 1 : h.batch) * h.keys;
  T* sums = kInPlace ? nullptr : context.scratch<T>(Scratch::operand_c, 2 * sum_rows * h.d);
  for_parts(context, h, 2 * (sizeof(T) + (kInPlace ? 0 : sizeof(S))), [&](const Part& part) {
    const std::int64_t count = part.rows() * score_columns;
    T* scores = context.scratch<T>(Scratch::scores, count);
    T* d_scores = context.scratch<T>(Scratch::scores_grad, count);
    S *probabilities = nullptr, *gradients = nullptr;
    if constexpr (kInPlace) {
      probabilities = scores;
      gradients = d_scores;
    } else {
      probabilities = context.scratch<S>(Scratch::operand_a, count);
      gradients = context.scratch<S>(Scratch::operand_b, count);
    }
    const Matrices q_heads = heads_of(q, h, part, part.query);
    const Matrices d_heads = heads_of(d_out, h, part, part.query);
    const Matrices k_heads = keys_of(k, h, part);
    multiply_heads(gemm, part, q_heads, k_heads,
                   packed(scores, wide, part, part.queries, score_columns), part.queries, h.keys,
                   h.d, {false, true}, options.scale, 0);
    multiply_heads(gemm, part, d_heads, keys_of(v, h, part),
                   packed(d_scores, wide, part, part.queries, score_columns), part.queries, h.keys,
                   h.d, {false, true}, 1, 0);
    dispatch_team(warps, [&]<int kTeam>() {
      launch<score_gradient_kernel<S, kTeam>>(
          stream, score_grid(part.rows(), warps), ScoreRows<T>(h, part, bias, options.causal),
          scores, d_scores, log_sum_exp.as<T>(), dots, probabilities, gradients);
    });
    const Matrices p = packed(probabilities, type, part, part.queries, score_columns);
    const Matrices ds = packed(gradients, type, part, part.queries, score_columns);
    multiply_heads(gemm, part, ds, k_heads, heads_of(d_q, h, part, part.query), part.queries, h.d,
                   h.keys, {}, options.scale, 0);
    // One GEMM for all heads, or for each of those that share their keys.
    Part by_key = part, each = part;
    by_key.queries = h.keys;
    by_key.heads = each.heads = h.group == 1 ? part.heads : 1;
    const bool first = part.query == 0 && part.head % h.group == 0;
    const bool last =
        part.query + part.queries == h.queries && (part.head + part.heads) % h.group == 0;
    const bool apart = !kInPlace && (h.group > 1 || part.queries < h.queries);
    Matrices to_k = keys_of(d_k, h, part), to_v = keys_of(d_v, h, part);
    if (apart) {
      to_k = packed(sums, wide, by_key, h.keys, h.d);
      to_v = packed(sums + by_key.rows() * h.d, wide, by_key, h.keys, h.d);
    }
    for (std::int64_t n = 0; n < part.heads; n += each.heads) {
      const float beta = first && n == 0 ? 0.0F : 1.0F;
      multiply_heads(gemm, each, from_head(ds, n), from_head(q_heads, n), to_k, h.keys, h.d,
                     part.queries, {true, false}, options.scale, beta);
      multiply_heads(gemm, each, from_head(p, n), from_head(d_heads, n), to_v, h.keys, h.d,
                     part.queries, {true, false}, 1, beta);
    }
    if (apart && last) {
      store_heads<S>(stream, sums, nullptr, by_key, h.d, keys_of(d_k, h, part));
      store_heads<S>(stream, sums + by_key.rows() * h.d, nullptr, by_key, h.d,
                     keys_of(d_v, h, part));
    }
  });
}

/// Whether to try cuDNN: it supports 16-bit types, without bias.
bool for_dnn(const View& q, const AttentionBias& bias) {
  return dtype_size(q.dtype) == 2 && !bias.scores && !bias.keys;
}

}  // namespace

void CudaKernels::attention(const View& q, const View& k, const View& v, const AttentionBias& bias,
                            const View& out, const View& log_sum_exp,
                            const AttentionOptions& options) {
  const Heads h = check_attention(q, k, v, out, log_sum_exp, bias, options, "attention");
  if (out.count() == 0 || (dnn_ != nullptr && for_dnn(q, bias) &&
                           dnn_->attention(q, k, v, out, log_sum_exp, options))) {
    return;
  }
  dispatch_float(q.dtype, [&]<typename S>() {
    attention_forward<S>(*context_, *gemm_, h, q, k, v, bias, out, log_sum_exp, options);
  });
}

void CudaKernels::attention_backward(const View& q, const View& k, const View& v,
                                     const AttentionBias& bias, const View& out,
                                     const View& log_sum_exp, const View& d_out, const View& d_q,
                                     const View& d_k, const View& d_v,
                                     const AttentionOptions& options) {
  const Heads h =
      check_attention_backward(q, k, v, bias, out, log_sum_exp, d_out, d_q, d_k, d_v, options);
  if (out.count() == 0 ||
      (dnn_ != nullptr && for_dnn(q, bias) &&
       dnn_->attention_backward(q, k, v, out, log_sum_exp, d_out, d_q, d_k, d_v, options))) {
    return;
  }
  dispatch_float(q.dtype, [&]<typename S>() {
    attention_gradient<S>(*context_, *gemm_, h, q, k, v, bias, out, log_sum_exp, d_out, d_q, d_k,
                          d_v, options);
  });
}

}  // namespace mantissa::cuda
