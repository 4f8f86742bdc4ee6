#pragma once
// Argument checks of one or a few ops, shared by all backends.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

// -- data movement --------------------------------------------------------------------------------

/// The dtypes of `in` and `out` may differ, their shapes not.
inline void check_copy(const View& in, const View& out) {
  for (const View* v : {&in, &out}) {
    check_kernel(v->data != nullptr || v->count() == 0, "copy", "a view has no data");
    check_kernel(v->row_stride >= v->cols(), "copy", "a row stride lies below the columns");
  }
  check_shape(out, in.shape, "copy", "out");
  check_kernel(in.dtype == out.dtype || (is_float(in.dtype) && is_float(out.dtype)), "copy", [&] {
    return "can't convert " + dtype_text(in.dtype) + " to " + dtype_text(out.dtype);
  });
}

/// in [a, m, n, c], out [a, n, m, c].
inline void check_swap_middle(const View& in, const View& out) {
  const char* kernel = "swap_middle";
  for (const View* v : {&in, &out}) {
    check_kernel(v->data != nullptr || v->count() == 0, kernel, "a view has no data");
    check_packed(*v, kernel, "a view");
  }
  check_dtype(out, in.dtype, kernel, "out");
  check_kernel(in.shape.rank() == 4, kernel,
               [&] { return "in must have rank 4; it is " + in.shape.str(); });
  check_shape(out, {in.shape[0], in.shape[2], in.shape[1], in.shape[3]}, kernel, "out");
}

/// x [batch, tokens, width], index [batch], rows [batch, width].
inline void check_tokens(const View& x, const View& index, const View& rows, const char* kernel,
                         const char* x_name, const char* rows_name) {
  check_float(x, kernel, x_name);
  check_float(rows, kernel, rows_name);
  check_dtype(rows, x.dtype, kernel, rows_name);
  check_index(index, kernel, "index");
  check_kernel(x.shape.rank() == 3, kernel, [&] {
    return std::string(x_name) + " must be [batch, tokens, width]; it is " + x.shape.str();
  });
  check_shape(index, {x.shape[0]}, kernel, "index");
  check_shape(rows, {x.shape[0], x.shape[2]}, kernel, rows_name);
}

/// Every index within `tokens`.
inline void check_token_range(std::span<const std::int32_t> index, std::int64_t tokens,
                              const char* kernel) {
  for (std::size_t b = 0; b < index.size(); ++b) {
    check_kernel(index[b] >= 0 && index[b] < tokens, kernel, [&] {
      return "index[" + std::to_string(b) + "] is " + std::to_string(index[b]) + ", outside of " +
             std::to_string(tokens) + " tokens";
    });
  }
}

/// table [vocab, width], ids [...], rows [..., width].
inline void check_embedding(const View& table, const View& ids, const View& rows,
                            const char* kernel, const char* table_name, const char* rows_name) {
  check_float(table, kernel, table_name);
  check_float(rows, kernel, rows_name);
  check_index(ids, kernel, "ids");
  check_kernel(table.shape.rank() == 2, kernel, [&] {
    return std::string(table_name) + " must be [vocab, width]; it is " + table.shape.str();
  });
  check_kernel(ids.shape.rank() < Shape::kMaxRank, kernel, "ids has too many dimensions");
  Shape expected = ids.shape;
  expected.push_back(table.cols());
  check_shape(rows, expected, kernel, rows_name);
}

/// Every id within the vocabulary.
inline void check_id_range(std::span<const std::int32_t> ids, std::int64_t vocabulary,
                           const char* kernel) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    check_kernel(ids[i] >= 0 && ids[i] < vocabulary, kernel, [&] {
      return "ids[" + std::to_string(i) + "] is " + std::to_string(ids[i]) +
             ", outside of a vocabulary of " + std::to_string(vocabulary);
    });
  }
}

/// The table's gradient may be wider than d_out.
inline void check_embedding_backward(const View& d_out, const View& ids, const View& d_table) {
  const char* kernel = "embedding_backward";
  check_embedding(d_table, ids, d_out, kernel, "d_table", "d_out");
  check_kernel(d_table.dtype == d_out.dtype || d_table.dtype == statistics_dtype(d_out.dtype),
               kernel, "d_table must have d_out's dtype or be fp32");
}

inline void check_timestep_embedding(const View& t, const View& out) {
  const char* kernel = "timestep_embedding";
  check_float(out, kernel, "out");
  check_float(t, kernel, "t");
  check_dtype(t, statistics_dtype(out.dtype), kernel, "t");
  check_packed(t, kernel, "t");
  check_kernel(out.shape.rank() == 2 && out.rows() == t.count() && out.cols() % 2 == 0, kernel,
               [&] {
                 return "out must be [" + std::to_string(t.count()) + ", even width]; it is " +
                        out.shape.str();
               });
}

/// small [b, h, w, c] and large [b, ho, wo, c] with ho >= h, wo >= w.
inline void check_resample(const View& small, const View& large, const char* kernel,
                           const char* small_name, const char* large_name) {
  check_float(small, kernel, small_name);
  check_float(large, kernel, large_name);
  check_dtype(large, small.dtype, kernel, large_name);
  check_kernel(small.shape.rank() == 4 && large.shape.rank() == 4 &&
                   small.shape[0] == large.shape[0] && small.shape[3] == large.shape[3] &&
                   small.shape[1] > 0 && small.shape[2] > 0,
               kernel, [&] {
                 return std::string(small_name) + " " + small.shape.str() + " and " + large_name +
                        " " + large.shape.str() + " must agree in batch and channels";
               });
  check_kernel(large.shape[1] >= small.shape[1] && large.shape[2] >= small.shape[2], kernel, [&] {
    return std::string(large_name) + " " + large.shape.str() + " is smaller than " + small_name +
           " " + small.shape.str();
  });
}

// -- elementwise ----------------------------------------------------------------------------------

/// Element numbers of random streams have 34 bits.
inline void check_stream_length(const View& v, const char* kernel) {
  check_kernel(v.count() < (std::int64_t{1} << 34), kernel, "more than 2^34 elements");
}

inline void check_dropout(const View& in, float p, const View& out) {
  check_float(in, "dropout", "in");
  check_like(out, in, "dropout", "out");
  check_packed(in, "dropout", "in");
  check_packed(out, "dropout", "out");
  check_kernel(p >= 0.0F && p < 1.0F, "dropout",
               [&] { return "p must be in [0, 1); it is " + std::to_string(p); });
  check_stream_length(in, "dropout");
}

// -- one vector per sample ------------------------------------------------------------------------

/// t holds one row per sample of x, or one for all.
inline void check_per_sample(const View& t, const View& x, const char* kernel, const char* what) {
  const std::int64_t batch = x.shape.rank() > 0 ? x.shape[0] : 1;
  check_kernel(x.shape.rank() >= 2 && t.shape.rank() == 2 && t.cols() == x.cols() &&
                   (t.rows() == batch || t.rows() == 1),
               kernel, [&] {
                 return std::string(what) + " must be [" + std::to_string(batch) + " or 1, " +
                        std::to_string(x.cols()) + "]; it is " + t.shape.str();
               });
}

inline void check_sample_vector(const View& t, const View& x, const char* kernel,
                                const char* what) {
  check_float(t, kernel, what);
  check_dtype(t, x.dtype, kernel, what);
  check_per_sample(t, x, kernel, what);
}

/// The sum may be wider than its terms: a bias gradient is fp32 under fp16.
inline void check_sample_sum(const View& out, const View& x, const char* kernel) {
  check_float(out, kernel, "out");
  check_kernel(out.dtype == x.dtype || out.dtype == statistics_dtype(x.dtype), kernel, [&] {
    return "out must be " + dtype_text(x.dtype) + " or fp32; it is " + dtype_text(out.dtype);
  });
  check_per_sample(out, x, kernel, "out");
}

inline void check_modulate(const View& x, const View& scale, const View& shift, const View& out) {
  check_float(x, "modulate", "x");
  check_sample_vector(scale, x, "modulate", "scale");
  if (shift) {
    check_sample_vector(shift, x, "modulate", "shift");
  }
  check_like(out, x, "modulate", "out");
}

inline void check_gated_add(const View& x, const View& y, const View& gate, const View& out) {
  check_float(y, "gated_add", "y");
  if (x) {
    check_like(x, y, "gated_add", "x");
  }
  check_sample_vector(gate, y, "gated_add", "gate");
  check_like(out, y, "gated_add", "out");
}

// -- diffusion and loss ---------------------------------------------------------------------------

inline void check_add_noise(const View& x, const View& noise, const View& a, const View& s,
                            const View& out) {
  const char* kernel = "add_noise";
  check_float(x, kernel, "x");
  check_like(noise, x, kernel, "noise");
  check_like(out, x, kernel, "out");
  check_kernel(x.shape.rank() >= 1, kernel, "x must have a batch dimension");
  for (const View* v : {&x, &noise, &out}) {
    check_packed(*v, kernel, "every tensor");
  }
  for (const View* v : {&a, &s}) {
    check_float(*v, kernel, v == &a ? "a" : "s");
    check_dtype(*v, statistics_dtype(x.dtype), kernel, v == &a ? "a" : "s");
    check_shape(*v, {x.shape[0]}, kernel, v == &a ? "a" : "s");
  }
}

inline void check_loss_inputs(const View& prediction, const View& target, const View& weight,
                              const char* kernel) {
  check_float(prediction, kernel, "prediction");
  check_like(target, prediction, kernel, "target");
  check_packed(prediction, kernel, "prediction");
  check_packed(target, kernel, "target");
  check_kernel(prediction.shape.rank() >= 1 && prediction.count() > 0, kernel, [&] {
    return "prediction must hold at least one sample; it is " + prediction.shape.str();
  });
  check_float(weight, kernel, "weight");
  check_dtype(weight, statistics_dtype(prediction.dtype), kernel, "weight");
  check_shape(weight, {prediction.shape[0]}, kernel, "weight");
}

inline void check_loss_scalar(const View& loss, const View& weight, const char* kernel,
                              const char* what) {
  check_float(loss, kernel, what);
  check_dtype(loss, weight.dtype, kernel, what);
  check_kernel(loss.count() == 1, kernel,
               [&] { return std::string(what) + " must be a scalar; it is " + loss.shape.str(); });
}

inline void check_mse_loss(const View& prediction, const View& target, const View& weight,
                           const View& per_sample, const View& loss) {
  const char* kernel = "mse_loss";
  check_loss_inputs(prediction, target, weight, kernel);
  check_like(per_sample, weight, kernel, "per_sample");
  check_loss_scalar(loss, weight, kernel, "loss");
}

inline void check_mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                    const View& weight, const View& d_prediction) {
  const char* kernel = "mse_loss_backward";
  check_loss_inputs(prediction, target, weight, kernel);
  check_like(d_prediction, prediction, kernel, "d_prediction");
  check_packed(d_prediction, kernel, "d_prediction");
  check_loss_scalar(d_loss, weight, kernel, "d_loss");
}

inline void check_huber_loss(const View& prediction, const View& target, const View& weight,
                             const View& width, const View& per_sample, const View& loss) {
  check_mse_loss(prediction, target, weight, per_sample, loss);
  check_like(width, weight, "huber_loss", "width");
}

inline void check_huber_loss_backward(const View& d_loss, const View& prediction,
                                      const View& target, const View& weight, const View& width,
                                      const View& d_prediction) {
  check_mse_loss_backward(d_loss, prediction, target, weight, d_prediction);
  check_like(width, weight, "huber_loss_backward", "width");
}

}  // namespace mantissa
