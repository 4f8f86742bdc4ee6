#include "kernels/cuda/cudnn.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/cuda/cudnn_graphs.h"
#include "kernels/cuda/graph_cache.h"

namespace mantissa::cuda {
namespace {

using Pointers = std::unordered_map<std::int64_t, void*>;

bool is_half(DType type) {
  return type == DType::f16 || type == DType::bf16;
}

std::string text(const Shape& shape, std::int64_t row_stride) {
  return shape.str() + "/" + std::to_string(row_stride);
}

/// A graph that is ready to run, or known to have no engine.
struct Built {
  std::shared_ptr<CudnnGraph> graph;  ///< null: no engine
  std::string why_not;                ///< cuDNN's reason, if there is none
  std::int64_t workspace = 0;
  /// Whether it will be the same the next time: false if an engine couldn't be built, as where
  /// memory is short.
  bool lasts = true;
};

void create(cudnnHandle_t& handle) {
  const cudnnStatus_t status = cudnnCreate(&handle);
  if (status != CUDNN_STATUS_SUCCESS) {
    check_alive("cudnn");
    throw std::runtime_error(std::string("cuDNN can't start: ") + cudnnGetErrorString(status));
  }
}

/// The graphs of one card. They take up to seconds each, so all backends of
/// the process share them, and what they are built with outlives those. Never destroyed: at process
/// exit the driver may be gone before a destructor runs.
struct Graphs {
  GraphCache<Built> cache;
  cudnnHandle_t builder = nullptr;

  static Graphs& of(const Context& context, bool deterministic) {
    static std::mutex mutex;
    static auto& all = *new std::map<std::pair<int, bool>, Graphs>;
    const std::scoped_lock lock(mutex);
    Graphs& graphs = all[{context.ordinal(), deterministic}];
    if (graphs.builder == nullptr) {
      context.use();
      create(graphs.builder);
    }
    return graphs;
  }
};

class Cudnn final : public Dnn {
 public:
  Cudnn(Context& context, bool deterministic)
      : context_(context),
        deterministic_(deterministic),
        graphs_(Graphs::of(context, deterministic)) {
    create(handle_);
    cudnnSetStream(handle_, context.stream());
  }
  ~Cudnn() override { cudnnDestroy(handle_); }
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
    const Built built =
        graph(key, [&](CudnnGraph& g) { record_conv2d(g, x, weight, bias, out, o, accumulate); });
    Pointers pointers{{kX, x.data}, {kWeight, weight.data}, {kOut, out.data}};
    if (bias) {
      pointers[kBias] = bias.data;
    }
    if (accumulate) {
      pointers[kBefore] = out.data;
    }
    return execute(key, built, pointers);
  }

  bool conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                            const ConvOptions& o, bool accumulate) override {
    if (!takes(d_out.dtype, o)) {
      return false;
    }
    const std::string key = "dgrad " + conv_key(d_x, weight, d_out, o) + (accumulate ? " add" : "");
    const Built built = graph(key, [&](CudnnGraph& g) {
      record_conv2d_backward_data(g, d_out, weight, d_x, o, accumulate);
    });
    Pointers pointers{{kDOut, d_out.data}, {kWeight, weight.data}, {kOut, d_x.data}};
    if (accumulate) {
      pointers[kBefore] = d_x.data;
    }
    return execute(key, built, pointers);
  }

  bool conv2d_backward_weight(const View&, const View&, const View&, const ConvOptions&,
                              bool) override {
    return false;  // fp32 weight gradients in our layout: done by a GEMM
  }

  bool attention(const View& q, const View& k, const View& v, const View& out,
                 const View& log_sum_exp, const AttentionOptions& o) override {
    if (!takes_heads(q, o) || !can_record(k)) {
      return false;
    }
    const std::string key = "sdpa " + sdpa_key(q, k, v, out, o);
    const Built built = graph(key, [&](CudnnGraph& g) { record_attention(g, q, k, v, out, o); });
    Pointers pointers{{kQ, q.data},
                      {kK, k.data},
                      {kV, v.data},
                      {kOut, out.data},
                      {kStatistics, log_sum_exp.data}};
    return execute(key, built, pointers);
  }

  bool attention_backward(const View& q, const View& k, const View& v, const View& out,
                          const View& log_sum_exp, const View& d_out, const View& d_q,
                          const View& d_k, const View& d_v, const AttentionOptions& o) override {
    if (!takes_heads(q, o) || !can_record(k)) {
      return false;
    }
    const std::string key = "sdpa-backward " + sdpa_key(q, k, v, out, o) + " " +
                            std::to_string(d_out.row_stride) + " " +
                            std::to_string(d_q.row_stride) + " " + std::to_string(d_k.row_stride) +
                            " " + std::to_string(d_v.row_stride);
    const Built built = graph(key, [&](CudnnGraph& g) {
      record_attention_backward(g, q, k, v, out, d_out, d_q, d_k, d_v, o, deterministic_);
    });
    Pointers pointers{{kQ, q.data},     {kK, k.data},        {kV, v.data},
                      {kOut, out.data}, {kDOut, d_out.data}, {kStatistics, log_sum_exp.data},
                      {kDQ, d_q.data},  {kDK, d_k.data},     {kDV, d_v.data}};
    return execute(key, built, pointers);
  }

 private:
  /// For fp32 without TF32 no engine is faster than ours and as exact.
  static bool takes(DType type, const ConvOptions& o) {
    return is_half(type) || (type == DType::f32 && o.tf32);
  }
  static bool takes_heads(const View& q, const AttentionOptions& o) {
    const std::int64_t width = q.cols() / o.heads;
    return is_half(q.dtype) && width <= 128 && width % 8 == 0;
  }
  bool can_record(const View& k) const {
    const bool can = attention_can_be_recorded(cudnnGetVersion(), k.shape[1]);
    if (!can) {
      context_.note("cuDNN " + version() + " can't repeat attention over " +
                    std::to_string(k.shape[1]) +
                    " keys from a recording: a slower kernel does it. cuDNN 9.15.1 or newer can");
    }
    return can;
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
           std::to_string(o.key_heads()) + " " + std::to_string(o.scale) +
           (o.causal ? " causal" : "");
  }

  Built graph(const std::string& key, const std::function<void(CudnnGraph&)>& record) {
    const auto build = [&] {
      context_.refuse_recording("cuDNN, first use of a shape");
      context_.use();
      auto g = std::make_shared<CudnnGraph>();
      record(*g);
      Built built;
      if (!find_engines(*g, graphs_.builder, deterministic_, &built.why_not)) {
        return built;
      }
      auto status = g->build_plans(cudnn_frontend::BuildPlanPolicy_t::HEURISTICS_CHOICE);
      if (status.is_good()) {
        status = g->get_workspace_size(built.workspace);
      }
      if (status.is_good()) {
        built.graph = std::move(g);
      } else {
        built.why_not = status.get_message();
        built.lasts = false;
      }
      return built;
    };
    return graphs_.cache.get(key, build, !context_.recording());
  }

  /// Graphs are built for addresses that are multiples of 16.
  static bool is_aligned(const Pointers& pointers) {
    constexpr std::uintptr_t kAlignment = 16;
    return std::ranges::all_of(pointers, [](const auto& p) {
      return reinterpret_cast<std::uintptr_t>(p.second) % kAlignment == 0;
    });
  }

  bool execute(const std::string& key, const Built& built, Pointers& pointers) {
    if (!built.graph) {
      context_.note("cuDNN " + version() + " has no engine for " + key + " (" + built.why_not +
                    "): a slower kernel does it");
      return false;
    }
    if (!is_aligned(pointers)) {
      context_.note("cuDNN takes only tensors at multiples of 16 bytes, and one of " + key +
                    " isn't: a slower kernel does it");
      return false;
    }
    context_.use();  // the handle has the stream
    void* workspace =
        context_.scratch<char>(Scratch::dnn, std::max<std::int64_t>(1, built.workspace));
    auto status = built.graph->execute(handle_, pointers, workspace);
    if (!status.is_good()) {
      check_alive("cudnn");
      throw std::runtime_error("[cudnn] " + status.get_message());
    }
    return true;
  }

  Context& context_;
  bool deterministic_;
  cudnnHandle_t handle_ = nullptr;
  Graphs& graphs_;
};

}  // namespace

std::unique_ptr<Dnn> make_cudnn(Context& context, bool deterministic) {
  return std::make_unique<Cudnn>(context, deterministic);
}

}  // namespace mantissa::cuda
