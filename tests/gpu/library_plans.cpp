// Times the plans that cuBLASLt and cuDNN propose for a training step of SDXL at 1024², batch 4, in
// BF16: products with frozen weights, convolutions and attention, each plan with a cold cache. The
// Markdown table that it prints shows what the fastest plan saves over the first. Plans that a
// library refuses to run are left out.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/cudnn_graphs.h"

namespace mantissa::cuda {
namespace {

constexpr int kBatch = 4, kTextTokens = 77, kTextWidth = 2048, kHeadWidth = 64;
constexpr int kMostProposals = 64;                   // of cuBLASLt
constexpr std::size_t kMostPlans = 8;                // of cuDNN: each takes 0.4 s to build
constexpr std::size_t kOverwritten = 128 << 20;      // an H200's cache has 50 MB
constexpr std::size_t kProductWorkspace = 32 << 20;  // as kernels/cuda/cublas.cpp allows
constexpr std::size_t kOperand = 192 << 20;          // the largest has 160 MiB

// -- the card ------------------------------------------------------------------------------------

// No handle is destroyed and no memory is freed: plans refer to them until the process ends, and
// its end does both.

/// Status of a call, which throws with `what` failed unless it is success.
void check(cudaError_t status, const char* what) {
  check_cuda(status, what);
}
void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("[") + what +
                             "] cuBLASLt: " + cublasLtGetStatusString(status));
  }
}
void check(cudnnStatus_t status, const char* what) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("[") + what + "] cuDNN: " + cudnnGetErrorString(status));
  }
}

/// Handle that `create(&handle, arguments...)` makes.
template <typename Handle, typename Create, typename... Arguments>
Handle make(Create create, Arguments... arguments) {
  Handle handle = nullptr;
  check(create(&handle, arguments...), "a handle");
  return handle;
}

/// Memory of the card.
void* allocate(std::size_t bytes) {
  void* data = nullptr;
  check(cudaMalloc(&data, bytes), "memory");
  return data;
}

/// Random BF16 in [0.5, 2): a product of zeros needs less power, and so less time.
std::vector<std::uint16_t> random_values() {
  std::vector<std::uint16_t> values(kOperand / sizeof(std::uint16_t));
  std::uint32_t state = 1;
  for (std::uint16_t& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<std::uint16_t>(0x3f00U | (state >> 24));
  }
  return values;
}

/// Copy of `values` on the card.
void* copy(const std::vector<std::uint16_t>& values) {
  void* data = allocate(kOperand);
  check(cudaMemcpy(data, values.data(), kOperand, cudaMemcpyHostToDevice), "an operand");
  return data;
}

/// Stream on which all plans run, its timer, and operands that are large enough for every op.
struct Card {
  cudaStream_t stream = make<cudaStream_t>(cudaStreamCreate);
  std::vector<std::uint16_t> values = random_values();
  void* x = copy(values);
  void* weight = copy(values);
  void* bias = copy(values);
  void* out = copy(values);
  void* d_x = copy(values);
  void* d_weight = copy(values);
  void* d_out = copy(values);
  void* statistics = copy(values);
  void* workspace = allocate(std::max<std::size_t>(kProductWorkspace, kMostCudnnWorkspace));
  void* overwritten = allocate(kOverwritten);
  cudaEvent_t begin = make<cudaEvent_t>(cudaEventCreateWithFlags, cudaEventDefault);
  cudaEvent_t end = make<cudaEvent_t>(cudaEventCreateWithFlags, cudaEventDefault);
};

// -- times ---------------------------------------------------------------------------------------

/// Plan that can be run; false if the library refuses.
using Plan = std::function<bool()>;

/// Op of a step, and its plans in the library's order.
struct Op {
  std::string name;
  int count;  ///< times a step
  std::vector<Plan> plans;
};

/// Microseconds of a run that finds nothing of its own in the cache; none if the library refuses.
std::optional<float> time_cold(const Plan& plan, const Card& card) {
  check(cudaMemsetAsync(card.overwritten, 0, kOverwritten, card.stream), "the cache");
  check(cudaEventRecord(card.begin, card.stream), "an event");
  const bool runs = plan();
  if (!runs) {
    cudaGetLastError();  // the refusal's; what a failed kernel leaves is reported again below
  }
  check(cudaEventRecord(card.end, card.stream), "an event");
  check(cudaEventSynchronize(card.end), "a plan");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, card.begin, card.end), "a time");
  return runs ? std::optional(1000 * ms) : std::nullopt;
}

/// Medians of five runs in µs, after one that isn't counted, of the plans that aren't refused.
std::vector<float> times(const Op& op, const Card& card) {
  std::vector<float> medians;
  for (const Plan& plan : op.plans) {
    std::vector<float> us;
    for (std::optional<float> one; us.size() < 6 && (one = time_cold(plan, card));) {
      us.push_back(*one);
    }
    if (us.size() == 6) {
      std::sort(us.begin() + 1, us.end());
      medians.push_back(us[3]);
    }
  }
  if (medians.empty()) {
    throw std::runtime_error("no plan runs " + op.name);
  }
  return medians;
}

/// Rows of the table for ops of one kind, and their sums.
void print(const char* kind, std::span<const Op> ops, const Card& card) {
  double sum_first = 0, sum_fastest = 0, sum_of_eight = 0;  // ms a step
  for (const Op& op : ops) {
    const std::vector<float> us = times(op, card);
    const auto fastest = [&](std::size_t most) {
      return *std::min_element(us.data(), us.data() + std::min(most, us.size()));
    };
    std::printf("| %s | %d | %zu | %.1f | %.1f |\n", op.name.c_str(), op.count, us.size(), us[0],
                fastest(us.size()));
    std::fflush(stdout);  // kept if the program is stopped
    sum_first += 1e-3 * op.count * us[0];
    sum_fastest += 1e-3 * op.count * fastest(us.size());
    sum_of_eight += 1e-3 * op.count * fastest(8);
  }
  std::printf("| **%s, ms a step** | | | **%.2f** | **%.2f**; of eight plans %.2f |\n", kind,
              sum_first, sum_fastest, sum_of_eight);
}

// -- products ------------------------------------------------------------------------------------

/// Product out [m, n] = x [m, k] · weight, all row-major.
struct Product {
  std::string name;
  int m, n, k;
  int count;        ///< times a step
  bool transposes;  ///< the weight is [n, k], else [k, n]
  bool adds;        ///< to what `out` holds
  bool has_bias;
};

/// Products of SDXL's transformers with frozen weights, at both of their resolutions.
std::vector<Product> frozen_products() {
  std::vector<Product> products;
  const auto add = [&](const char* name, int m, int n, int k, int count, bool adds, bool bias) {
    products.push_back({name, m, n, k, count, true, adds, bias});
    products.push_back({std::string(name) + ", gradient", m, k, n, count, false, true, false});
  };
  for (const bool deep : {false, true}) {
    const int m = deep ? 4096 : 16384, c = deep ? 1280 : 640;
    const int blocks = deep ? 60 : 10, transformers = deep ? 6 : 5;
    add("q, k, v", m, 3 * c, c, blocks, false, false);
    // Both attentions' outputs and q of the one to text, and the transformer's input and output.
    add("width to width", m, c, c, 3 * blocks + 2 * transformers, true, false);
    add("feed-forward in", m, 8 * c, c, blocks, false, true);
    add("feed-forward out", m, c, 4 * c, blocks, true, true);
    // Text has no gradient.
    products.push_back(
        {"k, v of text", kBatch * kTextTokens, 2 * c, kTextWidth, blocks, true, false, false});
  }
  return products;
}

/// Product in cuBLASLt's terms: column-major outᵀ = weightᵀ · xᵀ, so that the weight comes first.
struct BlasProduct {
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t first, second, result;
  float beta;
};

/// Description of a product for cuBLASLt.
BlasProduct describe(const Product& p, const Card& card) {
  const auto layout = [](int rows, int cols) {
    return make<cublasLtMatrixLayout_t>(cublasLtMatrixLayoutCreate, CUDA_R_16BF, rows, cols, rows);
  };
  const BlasProduct b{
      make<cublasLtMatmulDesc_t>(cublasLtMatmulDescCreate, CUBLAS_COMPUTE_32F, CUDA_R_32F),
      p.transposes ? layout(p.k, p.n) : layout(p.n, p.k), layout(p.k, p.m), layout(p.n, p.m),
      p.adds ? 1.0F : 0.0F};
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    check(cublasLtMatmulDescSetAttribute(b.product, attribute, &value, sizeof value),
          "an attribute");
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, p.transposes ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (p.has_bias) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, card.bias);
    set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_16BF);
  }
  return b;
}

/// Op with the plans that cuBLASLt proposes for a product.
Op propose(const Product& p, cublasLtHandle_t handle, cublasLtMatmulPreference_t preference,
           const Card& card) {
  const BlasProduct b = describe(p, card);
  std::array<cublasLtMatmulHeuristicResult_t, kMostProposals> found;
  int count = 0;
  check(cublasLtMatmulAlgoGetHeuristic(handle, b.product, b.first, b.second, b.result, b.result,
                                       preference, kMostProposals, found.data(), &count),
        "proposals");
  Op op{p.name + ", " + std::to_string(p.m) + " × " + std::to_string(p.n) + " × " +
            std::to_string(p.k),
        p.count,
        {}};
  for (const auto& proposal : std::span(found).first(static_cast<std::size_t>(count))) {
    op.plans.emplace_back([=, &card] {
      const float alpha = 1;
      return proposal.state == CUBLAS_STATUS_SUCCESS &&
             cublasLtMatmul(handle, b.product, &alpha, card.weight, b.first, card.x, b.second,
                            &b.beta, card.out, b.result, card.out, b.result, &proposal.algo,
                            card.workspace, proposal.workspaceSize,
                            card.stream) == CUBLAS_STATUS_SUCCESS;
    });
  }
  return op;
}

/// Ops of all products.
std::vector<Op> product_ops(const Card& card) {
  const auto handle = make<cublasLtHandle_t>(cublasLtCreate);
  const auto preference = make<cublasLtMatmulPreference_t>(cublasLtMatmulPreferenceCreate);
  check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &kProductWorkspace, sizeof kProductWorkspace),
        "a workspace");
  std::vector<Op> ops;
  for (const Product& product : frozen_products()) {
    ops.push_back(propose(product, handle, preference, card));
  }
  return ops;
}

// -- convolutions and attention ------------------------------------------------------------------

/// Call of cuDNN: its graph, and the addresses of the graph's tensors.
struct Call {
  std::string name;
  int count;  ///< times a step
  std::unordered_map<std::int64_t, void*> tensors;
  std::shared_ptr<CudnnGraph> graph = std::make_shared<CudnnGraph>();
};

/// Convolution of 3 × 3 with a padding of 1; `side` is its input's.
struct Convolution {
  int side, in, out, stride, count;
};

/// Convolutions of SDXL's U-Net.
constexpr Convolution kConvolutions[] = {
    {128, 4, 320, 1, 1},    {128, 320, 320, 1, 7},  {128, 320, 320, 2, 1},  {64, 320, 640, 1, 1},
    {64, 640, 640, 1, 6},   {64, 640, 640, 2, 1},   {32, 640, 1280, 1, 1},  {32, 1280, 1280, 1, 10},
    {32, 2560, 1280, 1, 2}, {32, 1920, 1280, 1, 1}, {64, 1280, 1280, 1, 1}, {64, 1920, 640, 1, 1},
    {64, 1280, 640, 1, 1},  {64, 960, 640, 1, 1},   {128, 640, 640, 1, 1},  {128, 960, 320, 1, 1},
    {128, 640, 320, 1, 2},  {128, 320, 4, 1, 1}};

/// Calls for the output and for the gradient of the input.
void add_calls(std::vector<Call>& calls, const Convolution& c, const Card& card) {
  const auto image = [](void* data, int side, int channels) {
    return View(data, DType::bf16, {kBatch, side, side, channels});
  };
  const View x = image(card.x, c.side, c.in), d_x = image(card.d_x, c.side, c.in);
  const View out = image(card.out, c.side / c.stride, c.out);
  const View d_out = image(card.d_out, c.side / c.stride, c.out);
  const View weight(card.weight, DType::bf16, {c.out, 3, 3, c.in});
  const View bias(card.bias, DType::bf16, {c.out});
  const ConvOptions options{c.stride, 1, 1, 1, 1};
  const std::string name = std::to_string(c.in) + " to " + std::to_string(c.out) + " channels at " +
                           std::to_string(c.side) + "²" + (c.stride > 1 ? ", stride 2" : "");
  const Call output{
      name, c.count, {{kX, x.data}, {kWeight, weight.data}, {kBias, bias.data}, {kOut, out.data}}};
  record_conv2d(*output.graph, x, weight, bias, out, options, false);
  calls.push_back(output);
  if (c.in == 4) {
    return;  // the noisy image has no gradient
  }
  const Call gradient{name + ", gradient",
                      c.count,
                      {{kDOut, d_out.data}, {kWeight, weight.data}, {kOut, d_x.data}}};
  record_conv2d_backward_data(*gradient.graph, d_out, weight, d_x, options, false);
  calls.push_back(gradient);
}

/// Attention of `tokens` to themselves, or to text where `keys` differs.
struct Attention {
  int tokens, keys, heads, count;
};

/// Attention of SDXL's U-Net.
constexpr Attention kAttention[] = {{4096, 4096, 10, 10},
                                    {1024, 1024, 20, 60},
                                    {4096, kTextTokens, 10, 10},
                                    {1024, kTextTokens, 20, 60}};

/// Views of q, k and v as SDXL's layers leave them: side by side, but q apart from text's k and v.
std::array<View, 3> heads(const Attention& a, void* own, void* text) {
  const std::int64_t width = std::int64_t{kHeadWidth} * a.heads;
  const auto part = [&](void* data, int tokens, int parts, int index) {
    View view(static_cast<std::uint16_t*>(data) + index * width, DType::bf16,
              {kBatch, tokens, width});
    view.row_stride = parts * width;
    return view;
  };
  if (a.keys == a.tokens) {
    return {part(own, a.tokens, 3, 0), part(own, a.tokens, 3, 1), part(own, a.tokens, 3, 2)};
  }
  return {part(own, a.tokens, 1, 0), part(text, a.keys, 2, 0), part(text, a.keys, 2, 1)};
}

/// Calls for the output, and then for the gradients, which read the output and its statistics.
void add_calls(std::vector<Call>& calls, const Attention& a, const Card& card) {
  const auto [q, k, v] = heads(a, card.x, card.weight);
  const auto [d_q, d_k, d_v] = heads(a, card.d_x, card.d_weight);
  const View out(card.out, DType::bf16, q.shape), d_out(card.d_out, DType::bf16, q.shape);
  const AttentionOptions options{a.heads, 0.125F};  // 1/√64
  const std::string name = std::to_string(a.tokens) + " tokens, " + std::to_string(a.keys) +
                           " keys, " + std::to_string(a.heads) + " heads";
  const Call output{
      name,
      a.count,
      {{kQ, q.data}, {kK, k.data}, {kV, v.data}, {kOut, out.data}, {kStatistics, card.statistics}}};
  record_attention(*output.graph, q, k, v, out, options);
  calls.push_back(output);
  Call gradients{name + ", gradients", a.count, output.tensors};
  gradients.tensors.insert(
      {{kDOut, d_out.data}, {kDQ, d_q.data}, {kDK, d_k.data}, {kDV, d_v.data}});
  record_attention_backward(*gradients.graph, q, k, v, out, d_out, d_q, d_k, d_v, options, false);
  calls.push_back(gradients);
}

/// Op whose plans are built with `builder` and run with `runner`.
Op build(const Call& call, cudnnHandle_t builder, cudnnHandle_t runner, const Card& card) {
  std::string why_not;
  if (!find_engines(*call.graph, builder, false, &why_not)) {
    throw std::runtime_error("no plan for " + call.name + ": " + why_not);
  }
  Op op{call.name, call.count, {}};
  const std::int64_t count = call.graph->get_execution_plan_count();
  for (std::int64_t i = 0; i < count && op.plans.size() < kMostPlans; ++i) {
    std::int64_t workspace = 0;
    if (call.graph->build_plan_at_index(builder, i).is_good() &&
        call.graph->get_workspace_size_plan_at_index(i, workspace).is_good() &&
        workspace <= kMostCudnnWorkspace) {
      op.plans.emplace_back([=, &card, graph = call.graph, tensors = call.tensors]() mutable {
        return graph->execute_plan_at_index(runner, tensors, card.workspace, i).is_good();
      });
    }
  }
  return op;
}

/// Ops of all calls, built on all processors.
std::vector<Op> build(const std::vector<Call>& calls, const Card& card) {
  const auto runner = make<cudnnHandle_t>(cudnnCreate);
  check(cudnnSetStream(runner, card.stream), "cuDNN's stream");
  std::vector<Op> ops(calls.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    const auto builder = make<cudnnHandle_t>(cudnnCreate);
    for (std::size_t i = next++; i < calls.size(); i = next++) {
      ops[i] = build(calls[i], builder, runner, card);
    }
  };
  std::vector<std::future<void>> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.push_back(std::async(std::launch::async, work));
  }
  for (std::future<void>& thread : threads) {
    thread.get();
  }
  return ops;
}

/// Table of all ops.
void print_table() {
  const Card card;
  std::printf("| op | times a step | plans | first, µs | fastest, µs |\n|---|---|---|---|---|\n");
  print("Products", product_ops(card), card);
  std::vector<Call> calls;
  for (const Convolution& convolution : kConvolutions) {
    add_calls(calls, convolution, card);
  }
  const std::size_t convolutions = calls.size();
  for (const Attention& attention : kAttention) {
    add_calls(calls, attention, card);
  }
  const std::vector<Op> ops = build(calls, card);
  print("Convolutions", std::span(ops).first(convolutions), card);
  print("Attention", std::span(ops).subspan(convolutions), card);
}

}  // namespace
}  // namespace mantissa::cuda

int main() {
  try {
    mantissa::cuda::print_table();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "library_plans: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
