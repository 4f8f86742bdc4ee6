#include "kernels/cuda/cudnn_graphs.h"

namespace mantissa::cuda {
namespace {

namespace fe = cudnn_frontend;
using Tensor = fe::graph::Tensor_attributes;
using Attributes = std::shared_ptr<Tensor>;

fe::DataType_t data_type(DType type) {
  switch (type) {
    case DType::f16:
      return fe::DataType_t::HALF;
    case DType::bf16:
      return fe::DataType_t::BFLOAT16;
    default:
      return fe::DataType_t::FLOAT;
  }
}

void set_types(CudnnGraph& g, DType io) {
  g.set_io_data_type(data_type(io))
      .set_intermediate_data_type(fe::DataType_t::FLOAT)
      .set_compute_data_type(fe::DataType_t::FLOAT);
}

// -- tensors: cuDNN's dimensions are [batch, channels, height, width], with any strides ----------

Tensor image(std::int64_t uid, const View& v) {
  const std::int64_t row = v.row_stride;
  return Tensor()
      .set_uid(uid)
      .set_dim({v.shape[0], v.shape[3], v.shape[1], v.shape[2]})
      .set_stride({v.shape[1] * v.shape[2] * row, 1, v.shape[2] * row, row})
      .set_data_type(data_type(v.dtype));
}

/// [co, kh, kw, ci]
Tensor filter(const View& w) {
  const std::int64_t kh = w.shape[1], kw = w.shape[2], ci = w.shape[3];
  return Tensor()
      .set_uid(kWeight)
      .set_dim({w.shape[0], ci, kh, kw})
      .set_stride({kh * kw * ci, 1, kw * ci, ci})
      .set_data_type(data_type(w.dtype));
}

Tensor channels(std::int64_t uid, const View& v) {
  const std::int64_t count = v.count();
  return Tensor()
      .set_uid(uid)
      .set_dim({1, count, 1, 1})
      .set_stride({count, 1, count, count})
      .set_data_type(data_type(v.dtype));
}

/// Adjacent heads in [b, tokens, heads·d].
Tensor heads(std::int64_t uid, const View& v, int count) {
  const std::int64_t tokens = v.shape[1], width = v.cols() / count;
  return Tensor()
      .set_uid(uid)
      .set_dim({v.shape[0], count, tokens, width})
      .set_stride({tokens * v.row_stride, width, v.row_stride, 1})
      .set_data_type(data_type(v.dtype));
}

Tensor statistics(const View& q, const AttentionOptions& o) {
  const std::int64_t tokens = q.shape[1];
  return Tensor()
      .set_uid(kStatistics)
      .set_dim({q.shape[0], o.heads, tokens, 1})
      .set_stride({o.heads * tokens, tokens, 1, 1})
      .set_data_type(fe::DataType_t::FLOAT);
}

/// Makes `result` an output with the layout of `as`.
void set_output(const Attributes& result, const Tensor& as) {
  result->set_uid(as.get_uid())
      .set_dim(as.get_dim())
      .set_stride(as.get_stride())
      .set_data_type(as.get_data_type())
      .set_output(true);
}

Attributes add(CudnnGraph& g, const Attributes& a, const Attributes& b) {
  return g.pointwise(a, b, fe::graph::Pointwise_attributes().set_mode(fe::PointwiseMode_t::ADD));
}

template <typename Convolution>
void set_geometry(Convolution& conv, const ConvOptions& o) {
  conv.set_pre_padding({o.pad_top, o.pad_left})
      .set_post_padding({o.pad_bottom, o.pad_right})
      .set_stride({o.stride, o.stride})
      .set_dilation({1, 1});
}

}  // namespace

void record_conv2d(CudnnGraph& g, const View& x, const View& weight, const View& bias,
                   const View& out, const ConvOptions& options, bool accumulate) {
  set_types(g, x.dtype);
  fe::graph::Conv_fprop_attributes conv;
  set_geometry(conv, options);
  Attributes y = g.conv_fprop(g.tensor(image(kX, x)), g.tensor(filter(weight)), conv);
  if (bias) {
    y = add(g, y, g.tensor(channels(kBias, bias)));
  }
  if (accumulate) {
    y = add(g, y, g.tensor(image(kBefore, out)));
  }
  set_output(y, image(kOut, out));
}

void record_conv2d_backward_data(CudnnGraph& g, const View& d_out, const View& weight,
                                 const View& d_x, const ConvOptions& options, bool accumulate) {
  set_types(g, d_out.dtype);
  fe::graph::Conv_dgrad_attributes conv;
  set_geometry(conv, options);
  const Tensor result = image(kOut, d_x);
  Attributes y = g.conv_dgrad(g.tensor(image(kDOut, d_out)), g.tensor(filter(weight)), conv);
  y->set_dim(result.get_dim());  // several input sizes match this d_out
  if (accumulate) {
    y = add(g, y, g.tensor(image(kBefore, d_x)));
  }
  set_output(y, result);
}

void record_attention(CudnnGraph& g, const View& q, const View& k, const View& v, const View& out,
                      const AttentionOptions& options) {
  set_types(g, q.dtype);
  fe::graph::SDPA_attributes sdpa;
  sdpa.set_generate_stats(true).set_attn_scale(options.scale);
  if (options.causal) {
    sdpa.set_causal_mask(true);
  }
  const int key_heads = options.key_heads();
  auto [y, log_sum_exp] =
      g.sdpa(g.tensor(heads(kQ, q, options.heads)), g.tensor(heads(kK, k, key_heads)),
             g.tensor(heads(kV, v, key_heads)), sdpa);
  set_output(y, heads(kOut, out, options.heads));
  set_output(log_sum_exp, statistics(q, options));
}

void record_attention_backward(CudnnGraph& g, const View& q, const View& k, const View& v,
                               const View& out, const View& d_out, const View& d_q, const View& d_k,
                               const View& d_v, const AttentionOptions& options,
                               bool deterministic) {
  set_types(g, q.dtype);
  fe::graph::SDPA_backward_attributes sdpa;
  sdpa.set_attn_scale(options.scale);
  if (options.causal) {
    sdpa.set_causal_mask(true);
  }
  if (deterministic) {
    sdpa.set_deterministic_algorithm(true);
  }
  const int count = options.heads, key_heads = options.key_heads();
  auto [dq, dk, dv] =
      g.sdpa_backward(g.tensor(heads(kQ, q, count)), g.tensor(heads(kK, k, key_heads)),
                      g.tensor(heads(kV, v, key_heads)), g.tensor(heads(kOut, out, count)),
                      g.tensor(heads(kDOut, d_out, count)), g.tensor(statistics(q, options)), sdpa);
  set_output(dq, heads(kDQ, d_q, count));
  set_output(dk, heads(kDK, d_k, key_heads));
  set_output(dv, heads(kDV, d_v, key_heads));
}

bool find_engines(CudnnGraph& g, cudnnHandle_t handle, bool deterministic, std::string* why_not) {
  auto status = g.validate();
  if (status.is_good()) {
    status = handle != nullptr ? g.build_operation_graph(handle) : g.build_operation_graph();
  }
  if (status.is_good()) {
    status = g.create_execution_plans({fe::HeurMode_t::A, fe::HeurMode_t::FALLBACK});
  }
  if (status.is_good()) {
    if (deterministic) {
      g.deselect_numeric_notes({fe::NumericalNote_t::NONDETERMINISTIC});
    }
    g.deselect_workspace_greater_than(kMostCudnnWorkspace);
    status = g.check_support();
  }
  if (why_not != nullptr) {
    *why_not = status.get_message();
  }
  return status.is_good();
}

}  // namespace mantissa::cuda
