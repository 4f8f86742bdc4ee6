#include "engine/train/update_meter.h"

#include <cmath>

namespace mantissa {

UpdateMeter::UpdateMeter(Kernels& kernels, const std::vector<OptimizerPart>& groups,
                         const Preset::Precision& precision)
    : kernels_(kernels),
      groups_(groups),
      stochastic_(precision.stochastic_rounding && !precision.kahan) {}

/// The parameters, with what Kahan summation holds back for them.
std::vector<float> UpdateMeter::masters(const OptimizerPart& group) const {
  std::vector<float> result = host_values(kernels_, group.parameters);
  for (const OptimizerState& state : group.optimizer->state()) {
    if (state.name == "compensation") {
      const std::vector<float> held = host_values(kernels_, state.view);
      for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] += held[i];
      }
    }
  }
  return result;
}

void UpdateMeter::before() {
  previous_.resize(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    previous_[i] = masters(groups_[i]);
  }
}

void UpdateMeter::after(const StepOutcome& outcome, StepRecord& record) {
  std::int64_t all_lost = 0, all_count = 0;
  double moved = 0, size = 0;
  lost_.assign(groups_.size(), {});
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const std::vector<OptimizerTensor>& tensors = groups_[i].optimizer->tensors();
    lost_[i].assign(tensors.size(), 0.0);
    if (!outcome.group_stepped[i]) {
      continue;
    }
    const bool averages = stochastic_ && groups_[i].parameters.dtype == DType::bf16;
    const std::vector<float> now = masters(groups_[i]);
    const std::vector<float> gradient = host_values(kernels_, groups_[i].gradients);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      std::int64_t lost = 0, count = 0;
      const auto begin = static_cast<std::size_t>(tensors[t].offset);
      const auto end = begin + static_cast<std::size_t>(tensors[t].count());
      for (std::size_t k = begin; k < end; ++k) {
        const double delta = static_cast<double>(now[k]) - previous_[i][k];
        count += gradient[k] != 0 ? 1 : 0;
        lost += gradient[k] != 0 && delta == 0 && !averages ? 1 : 0;
        moved += delta * delta;
        size += static_cast<double>(now[k]) * now[k];
      }
      lost_[i][t] = count > 0 ? static_cast<double>(lost) / static_cast<double>(count) : 0;
      all_lost += lost;
      all_count += count;
    }
  }
  record.lost_update =
      all_count > 0 ? static_cast<double>(all_lost) / static_cast<double>(all_count) : 0;
  record.update_ratio = size > 0 ? std::sqrt(moved / size) : 0;
}

}  // namespace mantissa
