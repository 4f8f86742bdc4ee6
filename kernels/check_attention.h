#pragma once
// Argument checks shared by all backends.

#include <string>

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The shape of one attention call.
struct Heads {
  std::int64_t batch, heads, d, queries, keys;
  std::int64_t group = 1;  ///< heads of q that share one of k and v
  std::int64_t pairs() const { return batch * heads; }
  /// Pairs p·group to (p + 1)·group - 1 read the keys of pair p of these.
  std::int64_t key_pairs() const { return pairs() / group; }
  /// First element of pair p in a [batch, tokens, heads·d] view.
  template <typename S>
  S* at(const View& v, std::int64_t p) const {
    return v.as<S>() + p / heads * v.shape[1] * v.row_stride + p % heads * d;
  }
  /// First element of key pair p in a [batch, tokens, heads/group·d] view.
  template <typename S>
  S* key_at(const View& v, std::int64_t p) const {
    const std::int64_t count = heads / group;
    return v.as<S>() + p / count * v.shape[1] * v.row_stride + p % count * d;
  }
};

inline Heads check_attention(const View& q, const View& k, const View& v, const View& out,
                             const View& log_sum_exp, const AttentionBias& bias,
                             const AttentionOptions& options, const char* kernel) {
  check_float(q, kernel, "q");
  check_float(k, kernel, "k");
  check_dtype(k, q.dtype, kernel, "k");
  check_kernel(q.shape.rank() == 3 && k.shape.rank() == 3 && q.shape[0] == k.shape[0], kernel, [&] {
    return "q " + q.shape.str() + " and k " + k.shape.str() +
           " must be [batch, tokens, width] with the same batch";
  });
  check_like(v, k, kernel, "v");
  check_like(out, q, kernel, "out");
  check_kernel(options.heads > 0 && q.shape[2] % options.heads == 0 && q.shape[2] > 0, kernel, [&] {
    return "a width of " + std::to_string(q.shape[2]) + " doesn't divide into " +
           std::to_string(options.heads) + " heads";
  });
  check_kernel(options.kv_heads >= 0 && options.heads % options.key_heads() == 0, kernel, [&] {
    return std::to_string(options.heads) + " heads of q can't share " +
           std::to_string(options.kv_heads) + " of k";
  });
  const std::int64_t d = q.shape[2] / options.heads;
  check_kernel(k.shape[2] == options.key_heads() * d, kernel, [&] {
    return "k " + k.shape.str() + " must have " + std::to_string(options.key_heads()) +
           " heads of " + std::to_string(d) + " channels, as q " + q.shape.str() + " has";
  });
  check_kernel(k.shape[1] > 0, kernel, "k has no tokens");
  check_float(log_sum_exp, kernel, "log_sum_exp");
  check_dtype(log_sum_exp, statistics_dtype(q.dtype), kernel, "log_sum_exp");
  check_packed(log_sum_exp, kernel, "log_sum_exp");
  check_shape(log_sum_exp, {q.shape[0], options.heads, q.shape[1]}, kernel, "log_sum_exp");
  const std::int64_t queries = q.shape[1], keys = k.shape[1];
  const auto check_added = [&](const View& added, const Shape& expected, const char* what) {
    check_float(added, kernel, what);
    check_dtype(added, statistics_dtype(q.dtype), kernel, what);
    check_packed(added, kernel, what);
    check_shape(added, expected, kernel, what);
  };
  if (bias.scores) {
    const std::int64_t count = bias.scores.shape.rank() == 3 ? bias.scores.shape[0] : 0;
    check_added(bias.scores, {count == 1 ? 1 : options.heads, queries, keys}, "bias.scores");
  }
  if (bias.keys) {
    check_added(bias.keys, {q.shape[0], keys}, "bias.keys");
  }
  return {q.shape[0], options.heads, d, queries, keys, options.heads / options.key_heads()};
}

inline Heads check_attention_backward(const View& q, const View& k, const View& v,
                                      const AttentionBias& bias, const View& out,
                                      const View& log_sum_exp, const View& d_out, const View& d_q,
                                      const View& d_k, const View& d_v,
                                      const AttentionOptions& options) {
  const char* kernel = "attention_backward";
  const Heads heads = check_attention(q, k, v, out, log_sum_exp, bias, options, kernel);
  check_like(d_out, q, kernel, "d_out");
  check_like(d_q, q, kernel, "d_q");
  check_like(d_k, k, kernel, "d_k");
  check_like(d_v, k, kernel, "d_v");
  return heads;
}

}  // namespace mantissa
