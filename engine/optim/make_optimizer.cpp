#include "engine/optim/make_optimizer.h"

#include "engine/core/error.h"
#include "engine/optim/elementwise.h"
#include "engine/optim/factored.h"
#include "engine/optim/muon.h"
#include "engine/optim/prodigy.h"
#include "engine/optim/schedule_free.h"
#include "engine/optim/state_buffers.h"
#include "engine/precision/dtypes.h"

namespace mantissa {

OptimizerSettings optimizer_settings(const Preset& preset, Part part) {
  OptimizerSettings s;
  s.type = preset.optimizer.type;
  s.learning_rate = preset.optimizer.learning_rate;
  s.beta1 = preset.optimizer.betas[0];
  s.beta2 = preset.optimizer.betas[1];
  s.eps = preset.optimizer.eps;
  s.weight_decay = preset.optimizer.weight_decay;
  s.parameters = part == kEmbeddings ? DType::f32 : dtype_of(preset.precision.adapter);
  s.rounding = preset.precision.kahan                 ? Rounding::kahan
               : preset.precision.stochastic_rounding ? Rounding::stochastic
                                                      : Rounding::nearest;
  s.state = preset.precision.optimizer_state;
  s.muon_scaling = preset.optimizer.muon_scaling;
  s.tf32 = preset.precision.compute != ComputeType::fp32;
  s.seed = static_cast<std::uint64_t>(preset.training.seed);
  s.instance = stream_of(part);
  for (const OptimizerGroup& group : preset.optimizer.groups) {
    if (group.part == part) {
      s.type = group.type.value_or(s.type);
      s.learning_rate = group.learning_rate.value_or(s.learning_rate);
      s.weight_decay = group.weight_decay.value_or(s.weight_decay);
    }
  }
  if (optimizer_row(s.type).finds_rate() && optimizer_row(preset.optimizer.type).finds_rate() &&
      preset.optimizer.learning_rate > 0) {
    // With Prodigy, a part's own rate is a factor on the estimate (finding B10).
    s.d_coef = s.learning_rate / preset.optimizer.learning_rate;
    s.learning_rate = preset.optimizer.learning_rate;
  }
  return s;
}

std::vector<OptimizerTensor> flat_tensor(std::int64_t count) {
  return {{.offset = 0, .rows = 1, .cols = count}};
}

std::unique_ptr<Optimizer> make_optimizer(Kernels& kernels, const OptimizerSettings& settings,
                                          std::vector<OptimizerTensor> tensors,
                                          std::shared_ptr<ProdigyScale> scale,
                                          std::shared_ptr<ScheduleFreeSums> sums) {
  if (settings.parameters != DType::f32 && settings.parameters != DType::bf16) {
    throw Error(ErrorKind::precision,
                message<"optimizers train fp32 or bf16 weights; these are {type}. Set "
                        "precision.adapter to fp32">(dtype_name(settings.parameters)),
                "S4");
  }
  switch (optimizer_row(settings.type).form) {
    case UpdateForm::prodigy:
      return make_prodigy(kernels, settings, std::move(tensors), std::move(scale), std::move(sums));
    case UpdateForm::muon:
      return make_muon(kernels, settings, std::move(tensors));
    case UpdateForm::factored:
      return make_factored(kernels, settings, std::move(tensors));
    case UpdateForm::elementwise:
      break;
  }
  return make_elementwise(kernels, settings, std::move(tensors), std::move(sums));
}

std::uint64_t optimizer_scratch_bytes(const OptimizerSettings& settings,
                                      std::span<const OptimizerTensor> tensors) {
  return optimizer_row(settings.type).form == UpdateForm::muon ? muon_scratch_bytes(tensors) : 0;
}

std::uint64_t optimizer_state_bytes(const OptimizerSettings& settings,
                                    std::span<const OptimizerTensor> tensors) {
  const OptimizerRow& row = optimizer_row(settings.type);
  std::uint64_t bytes = 0;
  if (row.finds_rate()) {
    bytes += static_cast<std::uint64_t>(ProdigyScale{}.state().count()) * sizeof(double);
  }
  if (row.schedule_free) {
    bytes += static_cast<std::uint64_t>(ScheduleFreeSums{true}.state().count()) * sizeof(double);
  }
  for (const StateSpec& s : state_layout(settings, tensors)) {
    bytes += static_cast<std::uint64_t>(s.count) * dtype_size(s.dtype);
  }
  return bytes;
}

}  // namespace mantissa
