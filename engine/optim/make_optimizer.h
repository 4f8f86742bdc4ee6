#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/optim/optimizer.h"
#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

class ProdigyScale;
class ScheduleFreeSums;

/// The settings of `part`: its group if given, else the preset's optimizer.
OptimizerSettings optimizer_settings(const Preset& preset, Part part);

/// One vector of `count` elements, for buffers without relevant structure.
std::vector<OptimizerTensor> flat_tensor(std::int64_t count);

/// Throws Error for parameters that are neither fp32 nor bf16. `scale` lets several Prodigy
/// optimizers share one estimate of d, `sums` the shares of a group one schedule-free average;
/// otherwise each has its own.
std::unique_ptr<Optimizer> make_optimizer(Kernels& kernels, const OptimizerSettings& settings,
                                          std::vector<OptimizerTensor> tensors,
                                          std::shared_ptr<ProdigyScale> scale = nullptr,
                                          std::shared_ptr<ScheduleFreeSums> sums = nullptr);

/// Bytes that an optimizer of these tensors has beside its state: Muon's matrices of one iteration.
std::uint64_t optimizer_scratch_bytes(const OptimizerSettings& settings,
                                      std::span<const OptimizerTensor> tensors);

/// Exact bytes of optimizer state for these tensors.
std::uint64_t optimizer_state_bytes(const OptimizerSettings& settings,
                                    std::span<const OptimizerTensor> tensors);

}  // namespace mantissa
