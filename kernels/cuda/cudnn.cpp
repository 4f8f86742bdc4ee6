#include "kernels/cuda/cudnn.h"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#define CUDNN_FRONTEND_SKIP_JSON_LIB
#include <cudnn_frontend.h>

namespace mantissa::cuda {
namespace {

namespace fe = cudnn_frontend;
using Attributes = std::shared_ptr<fe::graph::Tensor_attributes>;

/// Names of a graph's tensors.
enum Uid : std::int64_t {
  kX = 1,
  kWeight,
  kBias,
  kBefore,
  kOut,
  kQ,
  kK,
  kV,
  kStatistics,
  kDOut,
  kDQ,
  kDK,
  kDV
};

using Pointers = std::unordered_map<std::int64_t, void*>;

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

bool is_half(DType type) {
  return type == DType::f16 || type == DType::bf16;
}

std::string text(const Shape& shape, std::int64_t row_stride) {
  return shape.str() + "/" + std::to_string(row_stride);
}

/// A graph that is ready to run, or known to have no engine.
struct Built {
  std::shared_ptr<fe::graph::Graph> graph;  ///< null: no engine
  std::int64_t workspace = 0;
};

class Cudnn final : public Dnn {
 public:
  Cudnn(Context& context, bool deterministic) : context_(context), deterministic_(deterministic) {
    const cudnnStatus_t status = cudnnCreate(&handle_);
    if (status != CUDNN_STATUS_SUCCESS) {
      throw std::runtime_error(std::string("cuDNN can't start: ") + cudnnGetErrorString(status));
    }
    cudnnSetStream(handle_, context.stream());
  }
  ~Cudnn() override {
    graphs_.clear();
    cudnnDestroy(handle_);
  }
  Cudnn(const Cudnn&) = delete;
  Cudnn& operator=(const Cudnn&) = delete;

  std::string version() const override {
    const auto v = static_cast<int>(cudnnGetVersion());
    return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." +
           std::to_string(v % 100);
  }

  bool conv2d(const View& x, const View& weight, const View& bias, const View& out,
              const ConvOptions& o, bool accumulate) override {
    if (!takes(x.dtype, o)) {
      return false;
    }
    const std::string key =
        "conv " + conv_key(x, weight, out, o) + (bias ? " bias" : "") + (accumulate ? " add" : "");
    const Built& built = graph(key, [&](fe::graph::Graph& g) {
      g.set_io_data_type(data_type(x.dtype));
      fe::graph::Conv_fprop_attributes conv;
      conv.set_pre_padding({o.pad_top, o.pad_left})
          .set_post_padding({o.pad_bottom, o.pad_right})
          .set_stride({o.stride, o.stride})
          .set_dilation({1, 1});
      Attributes y = g.conv_fprop(image(g, kX, x), filter(g, weight), conv);
      if (bias) {
        const std::int64_t channels = bias.count();
        y = add(g, y,
                g.tensor(fe::graph::Tensor_attributes()
                             .set_uid(kBias)
                             .set_dim({1, channels, 1, 1})
                             .set_stride({channels, 1, channels, channels})
                             .set_data_type(data_type(bias.dtype))));
      }
      if (accumulate) {
        y = add(g, y, image(g, kBefore, out));
      }
      set_image(y, kOut, out);
    });
    Pointers pointers{{kX, x.data}, {kWeight, weight.data}, {kOut, out.data}};
    if (bias) {
      pointers[kBias] = bias.data;
    }
    if (accumulate) {
      pointers[kBefore] = out.data;
    }
    return execute(built, pointers);
  }

  bool conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                            const ConvOptions& o, bool accumulate) override {
    if (!takes(d_out.dtype, o)) {
      return false;
    }
    const std::string key = "dgrad " + conv_key(d_x, weight, d_out, o) + (accumulate ? " add" : "");
    const Built& built = graph(key, [&](fe::graph::Graph& g) {
      g.set_io_data_type(data_type(d_out.dtype));
      fe::graph::Conv_dgrad_attributes conv;
      conv.set_pre_padding({o.pad_top, o.pad_left})
          .set_post_padding({o.pad_bottom, o.pad_right})
          .set_stride({o.stride, o.stride})
          .set_dilation({1, 1});
      Attributes y = g.conv_dgrad(image(g, kDOut, d_out), filter(g, weight), conv);
      y->set_dim({d_x.shape[0], d_x.shape[3], d_x.shape[1], d_x.shape[2]});
      if (accumulate) {
        y = add(g, y, image(g, kBefore, d_x));
      }
      set_image(y, kOut, d_x);
    });
    Pointers pointers{{kDOut, d_out.data}, {kWeight, weight.data}, {kOut, d_x.data}};
    if (accumulate) {
      pointers[kBefore] = d_x.data;
    }
    return execute(built, pointers);
  }

  bool conv2d_backward_weight(const View&, const View&, const View&, const ConvOptions&,
                              bool) override {
    return false;  // fp32 weight gradients in our layout: a GEMM does that
  }

  bool attention(const View& q, const View& k, const View& v, const View& out,
                 const View& log_sum_exp, const AttentionOptions& o) override {
    if (!takes_heads(q, o)) {
      return false;
    }
    const std::string key = "sdpa " + sdpa_key(q, k, v, out, o);
    const Built& built = graph(key, [&](fe::graph::Graph& g) {
      g.set_io_data_type(data_type(q.dtype));
      fe::graph::SDPA_attributes sdpa;
      sdpa.set_generate_stats(true).set_attn_scale(o.scale);
      if (o.causal) {
        sdpa.set_causal_mask(true);
      }
      auto [y, statistics] =
          g.sdpa(heads(g, kQ, q, o), heads(g, kK, k, o), heads(g, kV, v, o), sdpa);
      set_heads(y, kOut, out, o);
      set_statistics(statistics, q, o);
      statistics->set_output(true);
    });
    Pointers pointers{{kQ, q.data},
                      {kK, k.data},
                      {kV, v.data},
                      {kOut, out.data},
                      {kStatistics, log_sum_exp.data}};
    return execute(built, pointers);
  }

  bool attention_backward(const View& q, const View& k, const View& v, const View& out,
                          const View& log_sum_exp, const View& d_out, const View& d_q,
                          const View& d_k, const View& d_v, const AttentionOptions& o) override {
    if (!takes_heads(q, o)) {
      return false;
    }
    const std::string key = "sdpa-backward " + sdpa_key(q, k, v, out, o) + " " +
                            std::to_string(d_out.row_stride) + " " +
                            std::to_string(d_q.row_stride) + " " + std::to_string(d_k.row_stride) +
                            " " + std::to_string(d_v.row_stride);
    const Built& built = graph(key, [&](fe::graph::Graph& g) {
      g.set_io_data_type(data_type(q.dtype));
      fe::graph::SDPA_backward_attributes sdpa;
      sdpa.set_attn_scale(o.scale);
      if (o.causal) {
        sdpa.set_causal_mask(true);
      }
      if (deterministic_) {
        sdpa.set_deterministic_algorithm(true);
      }
      const Attributes statistics = g.tensor(fe::graph::Tensor_attributes());
      set_statistics(statistics, q, o);
      auto [dq, dk, dv] =
          g.sdpa_backward(heads(g, kQ, q, o), heads(g, kK, k, o), heads(g, kV, v, o),
                          heads(g, kOut, out, o), heads(g, kDOut, d_out, o), statistics, sdpa);
      set_heads(dq, kDQ, d_q, o);
      set_heads(dk, kDK, d_k, o);
      set_heads(dv, kDV, d_v, o);
    });
    Pointers pointers{{kQ, q.data},     {kK, k.data},        {kV, v.data},
                      {kOut, out.data}, {kDOut, d_out.data}, {kStatistics, log_sum_exp.data},
                      {kDQ, d_q.data},  {kDK, d_k.data},     {kDV, d_v.data}};
    return execute(built, pointers);
  }

 private:
  /// fp32 without TF32 has no engine that is faster than ours and as exact.
  static bool takes(DType type, const ConvOptions& o) {
    return is_half(type) || (type == DType::f32 && o.tf32);
  }
  static bool takes_heads(const View& q, const AttentionOptions& o) {
    const std::int64_t width = q.cols() / o.heads;
    return is_half(q.dtype) && width <= 128 && width % 8 == 0;
  }

  // -- tensors: cuDNN names dimensions [batch, channels, height, width], whatever the strides
  // ------

  static fe::graph::Tensor_attributes image_attributes(std::int64_t uid, const View& v) {
    const std::int64_t row = v.row_stride;
    fe::graph::Tensor_attributes a;
    a.set_uid(uid)
        .set_dim({v.shape[0], v.shape[3], v.shape[1], v.shape[2]})
        .set_stride({v.shape[1] * v.shape[2] * row, 1, v.shape[2] * row, row})
        .set_data_type(data_type(v.dtype));
    return a;
  }
  static Attributes image(fe::graph::Graph& g, std::int64_t uid, const View& v) {
    return g.tensor(image_attributes(uid, v));
  }
  static void set_image(const Attributes& y, std::int64_t uid, const View& v) {
    const fe::graph::Tensor_attributes a = image_attributes(uid, v);
    y->set_uid(uid)
        .set_dim(a.get_dim())
        .set_stride(a.get_stride())
        .set_data_type(a.get_data_type())
        .set_output(true);
  }
  /// [co, kh, kw, ci]
  static Attributes filter(fe::graph::Graph& g, const View& w) {
    const std::int64_t kh = w.shape[1], kw = w.shape[2], ci = w.shape[3];
    return g.tensor(fe::graph::Tensor_attributes()
                        .set_uid(kWeight)
                        .set_dim({w.shape[0], ci, kh, kw})
                        .set_stride({kh * kw * ci, 1, kw * ci, ci})
                        .set_data_type(data_type(w.dtype)));
  }
  static Attributes add(fe::graph::Graph& g, const Attributes& a, const Attributes& b) {
    return g.pointwise(a, b, fe::graph::Pointwise_attributes().set_mode(fe::PointwiseMode_t::ADD));
  }
  static fe::graph::Tensor_attributes heads_attributes(std::int64_t uid, const View& v,
                                                       const AttentionOptions& o) {
    const std::int64_t tokens = v.shape[1], width = v.cols() / o.heads;
    fe::graph::Tensor_attributes a;
    a.set_uid(uid)
        .set_dim({v.shape[0], o.heads, tokens, width})
        .set_stride({tokens * v.row_stride, width, v.row_stride, 1})
        .set_data_type(data_type(v.dtype));
    return a;
  }
  static Attributes heads(fe::graph::Graph& g, std::int64_t uid, const View& v,
                          const AttentionOptions& o) {
    return g.tensor(heads_attributes(uid, v, o));
  }
  static void set_heads(const Attributes& y, std::int64_t uid, const View& v,
                        const AttentionOptions& o) {
    const fe::graph::Tensor_attributes a = heads_attributes(uid, v, o);
    y->set_uid(uid).set_dim(a.get_dim()).set_stride(a.get_stride()).set_output(true);
  }
  static void set_statistics(const Attributes& s, const View& q, const AttentionOptions& o) {
    const std::int64_t tokens = q.shape[1];
    s->set_uid(kStatistics)
        .set_dim({q.shape[0], o.heads, tokens, 1})
        .set_stride({o.heads * tokens, tokens, 1, 1})
        .set_data_type(fe::DataType_t::FLOAT);
  }

  static std::string conv_key(const View& x, const View& weight, const View& out,
                              const ConvOptions& o) {
    return std::string(dtype_name(x.dtype)) + " " + text(x.shape, x.row_stride) + " " +
           weight.shape.str() + " " + text(out.shape, out.row_stride) + " " +
           std::to_string(o.stride) + " " + std::to_string(o.pad_top) + " " +
           std::to_string(o.pad_left) + " " + std::to_string(o.pad_bottom) + " " +
           std::to_string(o.pad_right);
  }
  static std::string sdpa_key(const View& q, const View& k, const View& v, const View& out,
                              const AttentionOptions& o) {
    return std::string(dtype_name(q.dtype)) + " " + text(q.shape, q.row_stride) + " " +
           text(k.shape, k.row_stride) + " " + std::to_string(v.row_stride) + " " +
           std::to_string(out.row_stride) + " " + std::to_string(o.heads) + " " +
           std::to_string(o.scale) + (o.causal ? " causal" : "");
  }

  // -- graphs
  // ----------------------------------------------------------------------------------------

  const Built& graph(const std::string& key, const std::function<void(fe::graph::Graph&)>& record) {
    if (const auto it = graphs_.find(key); it != graphs_.end()) {
      return it->second;
    }
    context_.refuse_recording("cuDNN, first use of a shape");
    auto g = std::make_shared<fe::graph::Graph>();
    g->set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT);
    record(*g);
    Built built;
    if (build(*g) && g->get_workspace_size(built.workspace).is_good()) {
      built.graph = std::move(g);
    }
    return graphs_.emplace(key, std::move(built)).first->second;
  }

  bool build(fe::graph::Graph& g) {
    if (!g.validate().is_good() || !g.build_operation_graph(handle_).is_good() ||
        !g.create_execution_plans({fe::HeurMode_t::A, fe::HeurMode_t::FALLBACK}).is_good()) {
      return false;
    }
    if (deterministic_) {
      g.deselect_numeric_notes({fe::NumericalNote_t::NONDETERMINISTIC});
    }
    return g.check_support(handle_).is_good() &&
           g.build_plans(handle_, fe::BuildPlanPolicy_t::HEURISTICS_CHOICE).is_good();
  }

  bool execute(const Built& built, Pointers& pointers) {
    if (!built.graph) {
      return false;
    }
    void* workspace =
        context_.scratch<char>(Scratch::dnn, std::max<std::int64_t>(1, built.workspace));
    fe::error_t status = built.graph->execute(handle_, pointers, workspace);
    if (!status.is_good()) {
      throw std::runtime_error("[cudnn] " + status.get_message());
    }
    return true;
  }

  Context& context_;
  bool deterministic_;
  cudnnHandle_t handle_ = nullptr;
  std::map<std::string, Built> graphs_;
};

}  // namespace

std::unique_ptr<Dnn> make_cudnn(Context& context, bool deterministic) {
  return std::make_unique<Cudnn>(context, deterministic);
}

}  // namespace mantissa::cuda
