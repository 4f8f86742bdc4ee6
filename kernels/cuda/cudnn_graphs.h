#pragma once
// The cuDNN calls we make, as graphs without data.
//
// No card is needed to record a graph, nor to find out whether cuDNN has an engine for it: tests do
// both for cards that aren't present.

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
  kBefore,  ///< the accumulator's initial value
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

/// Whether attention over `keys` can be captured with cuDNN `version` (91500 is 9.15.0). Up to that
/// version the frontend pads keys to a multiple of 128 with lengths from a temporary, which a
/// replay reads after its end of life.
constexpr bool attention_can_be_recorded(std::size_t version, std::int64_t keys) {
  return version > 91500 || keys % 128 == 0;
}

using CudnnGraph = cudnn_frontend::graph::Graph;

/// The largest workspace an engine may use outside the plan. In deterministic mode some engines for
/// long attention's backward want gigabytes; without one, our own fallback works in parts.
inline constexpr std::int64_t kMostCudnnWorkspace = std::int64_t{256} << 20;

// Views give shapes, strides and dtypes; their data is not read. Operands as for the methods of the
// same name in Dnn (libraries.h). Accumulation is fp32 throughout.

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
/// `deterministic`, with the same bits every time. False if there is none. `handle` may be null if
/// the graph has a card's properties. `why_not`, if given, receives cuDNN's reason.
bool find_engines(CudnnGraph& graph, cudnnHandle_t handle, bool deterministic,
                  std::string* why_not = nullptr);

}  // namespace mantissa::cuda
