#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/optim/optimizer.h"

namespace mantissa {

/// Muon (Jordan et al., 2024; torch.optim.Muon): the update of a matrix is its Nesterov momentum
/// made orthogonal by five Newton-Schulz iterations. Every matrix counts: each LoRA factor by
/// itself, a convolution as [out, in·kh·kw]. The rest (vectors, magnitudes) is updated by AdamW.
std::unique_ptr<Optimizer> make_muon(Kernels& kernels, const OptimizerSettings& settings,
                                     std::vector<OptimizerTensor> tensors);

/// Bytes of the matrices of an iteration, for the largest of these tensors.
std::uint64_t muon_scratch_bytes(std::span<const OptimizerTensor> tensors);

}  // namespace mantissa
