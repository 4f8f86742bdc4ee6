#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/graph/tensor.h"
#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

struct Adapter;

/// The DoRA adapters of a part: a graph computes all their factors at once.
struct DoraBatch {
  Tensor whole;  ///< names the batch in a graph
  std::vector<Adapter*> adapters;
};

/// DoRA's state on top of a LoRA (arXiv 2402.09353): with V = W + scale·up·down and n_i = ‖V_i‖ of
/// each channel, W'_i = (m_i / n_i)·V_i. n is computed in every step and gets no gradient, as in
/// the paper's section 4.3 and PEFT; that of a LoHa or LoKr gets it, as in LyCORIS. Channels with
/// zero weight stay plain: factor 1, m_i frozen.
struct DoraAdapter {
  DoraAxis axis = DoraAxis::output;
  Tensor magnitude;            ///< m [channels], always fp32
  Tensor squares;              ///< ‖W_i‖² of the dequantised weight, fp32 (fp64 with fp64)
  DoraBatch* batch = nullptr;  ///< null for an adapter that is alone
  std::size_t place = 0;       ///< in the batch
  std::int64_t vanishing = 0;  ///< channels that stay plain LoRA; known after finalize
};

/// Number of norms of a weight [out, in] or [out, in, kh, kw] along `axis`: out or in.
std::int64_t dora_channels(const Shape& weight, DoraAxis axis);

/// Number of channels whose norm is below kDoraLeastNorm, of a weight's values.
std::int64_t empty_channels(std::span<const float> values, const Shape& weight, DoraAxis axis);

/// A frozen weight as fp32 on the host, codes times their scale.
std::vector<float> frozen_values(Kernels& kernels, const Tensor& weight);

/// ‖W_i‖² [channels] of a frozen weight.
void dora_squares(Kernels& kernels, const Tensor& weight, DoraAxis axis, const View& squares);

/// n [channels] for these factors, computed by the graph's kernel: equal inputs give equal bits.
std::vector<float> dora_norms(Kernels& kernels, const Tensor& weight, DoraAxis axis,
                              const View& squares, const View& down, const View& up, float scale);

/// n [channels] for V = W + change; `change` is like the weight, of any float dtype.
std::vector<float> changed_norms(Kernels& kernels, const Tensor& weight, DoraAxis axis,
                                 const View& change);

/// m_i / n_i, 1 for zero channels (kDoraLeastNorm).
std::vector<float> dora_factors(std::span<const float> magnitude, std::span<const float> norms,
                                std::span<const float> squares);

}  // namespace mantissa
