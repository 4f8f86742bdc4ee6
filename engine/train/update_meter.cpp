#include "engine/train/update_meter.h"

#include <cmath>

namespace mantissa {

UpdateMeter::UpdateMeter(const std::vector<OptimizerPart>& groups,
                         const Preset::Precision& precision)
    : groups_(groups),
      stochastic_(precision.stochastic_rounding && !precision.kahan),
      room_(groups.size()) {}

View UpdateMeter::masters(const OptimizerPart& group, Room& room) const {
  if (group.parameters.dtype == DType::f32) {
    return group.parameters;
  }
  const Shape flat{group.parameters.count()};
  Kernels& kernels = *group.device;
  if (!room.masters) {
    room.masters.emplace(kernels, flat);
  }
  const View& sum = room.masters->view();
  kernels.copy(group.parameters, sum);
  for (const OptimizerState& state : group.optimizer->state()) {
    if (state.name == "compensation") {
      if (!room.held) {
        room.held.emplace(kernels, flat);
      }
      kernels.copy(state.view, room.held->view());
      kernels.add(sum, room.held->view(), sum);
    }
  }
  return sum;
}

void UpdateMeter::before() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (previous_.size() == i) {
      previous_.emplace_back(*groups_[i].device, groups_[i].parameters.shape);
    }
    groups_[i].device->copy(masters(groups_[i], room_[i]), previous_[i].view());
  }
}

void UpdateMeter::warm_up() {
  StepOutcome all;
  for (const OptimizerPart& group : groups_) {
    all.group_stepped.resize(group.group + 1, true);
  }
  StepRecord unused;
  after(all, unused);
}

void UpdateMeter::after(const StepOutcome& outcome, StepRecord& record) {
  std::int64_t all_lost = 0, all_count = 0;
  double moved = 0, size = 0;
  lost_.assign(groups_.size(), {});
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const std::vector<OptimizerTensor>& tensors = groups_[i].optimizer->tensors();
    lost_[i].assign(tensors.size(), 0.0);
    if (!outcome.group_stepped[groups_[i].group]) {
      continue;
    }
    const bool averages = stochastic_ && groups_[i].parameters.dtype == DType::bf16;
    std::vector<std::int64_t> ends;
    for (const OptimizerTensor& t : tensors) {
      ends.push_back(t.offset + t.count());
    }
    std::vector<Movement> movements(tensors.size());
    groups_[i].device->measure_update(previous_[i].view(), masters(groups_[i], room_[i]),
                                      groups_[i].gradients, ends, movements);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const Movement& m = movements[t];
      const std::int64_t lost = averages ? 0 : m.unmoved;
      moved += m.moved;
      size += m.size;
      lost_[i][t] = m.with_gradient > 0
                        ? static_cast<double>(lost) / static_cast<double>(m.with_gradient)
                        : 0;
      all_lost += lost;
      all_count += m.with_gradient;
    }
  }
  record.lost_update =
      all_count > 0 ? static_cast<double>(all_lost) / static_cast<double>(all_count) : 0;
  record.update_ratio = size > 0 ? std::sqrt(moved / size) : 0;
}

}  // namespace mantissa
