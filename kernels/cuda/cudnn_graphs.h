#pragma once
// What we ask of cuDNN, as graphs without any data.
//
// No card is needed to record a graph, nor to find out whether cuDNN has an engine for it: tests do
// both for cards that are not there.

#include <cstdint>
#include <string>

#define CUDNN_FRONTEND_SKIP_JSON_LIB
#include <cudnn_frontend.h>

#include "kernels/kernels.h"

namespace mantissa::cuda {

/// Names of a graph's tensors.
enum Uid : std::int64_t {
  kX = 1,
  kWeight,
  kBias,
  kBefore,  ///< what a sum is added to
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

/// Whether attention over `keys` can be part of a recording with cuDNN `version` (91500 is 9.15.0).
/// Up to that one the frontend pads keys that are no multiple of 128 with lengths from a temporary,
/// which a replayed copy reads when it is gone.
constexpr bool attention_can_be_recorded(std::size_t version, std::int64_t keys) {
  return version > 91500 || keys % 128 == 0;
}

using CudnnGraph = cudnn_frontend::graph::Graph;

/// The most memory an engine may take beside the plan. In deterministic mode the backward of long
/// attention has engines that want gigabytes; without one, our own way goes in parts.
inline constexpr std::int64_t kMostCudnnWorkspace = std::int64_t{256} << 20;

// Views give shapes, strides and dtypes; their data is not looked at. Operands as for the methods
// of the same name in Dnn (libraries.h). Sums are fp32 throughout.

/// kX, kWeight -> kOut, with kBias where `bias` and kBefore where `accumulate`.
void record_conv2d(CudnnGraph& graph, const View& x, const View& weight, const View& bias,
                   const View& out, const ConvOptions& options, bool accumulate);
/// kDOut, kWeight -> kOut, with kBefore where `accumulate`.
void record_conv2d_backward_data(CudnnGraph& graph, const View& d_out, const View& weight,
                                 const View& d_x, const ConvOptions& options, bool accumulate);
/// kQ, kK, kV -> kOut, kStatistics [b, heads, tokens, 1].
void record_attention(CudnnGraph& graph, const View& q, const View& k, const View& v,
                      const View& out, const AttentionOptions& options);
/// kQ, kK, kV, kOut, kDOut, kStatistics -> kDQ, kDK, kDV.
void record_attention_backward(CudnnGraph& graph, const View& q, const View& k, const View& v,
                               const View& out, const View& d_out, const View& d_q, const View& d_k,
                               const View& d_v, const AttentionOptions& options,
                               bool deterministic);

/// Leaves in `graph` the engines that can run it: within kMostCudnnWorkspace and, where
/// `deterministic`, with the same bits every time. False if there is none. `handle` may be null
/// where the graph was given the properties of a card. `why_not`, where given, gets cuDNN's reason.
bool find_engines(CudnnGraph& graph, cudnnHandle_t handle, bool deterministic,
                  std::string* why_not = nullptr);

}  // namespace mantissa::cuda
