#include "engine/precision/catalogue_rules.h"

#include <algorithm>
#include <cmath>

#include "engine/precision/dtypes.h"
#include "engine/precision/rules.h"
#include "engine/preset/names.h"

namespace mantissa {

Conflict adjust(Preset fixed, FindingValues values) {
  return {Verdict::adjusted, std::move(fixed), std::move(values)};
}

Conflict notice(const PrecisionFacts& f, FindingValues values) {
  return {Verdict::adjusted, f.preset, std::move(values)};
}

Conflict warn(Preset fixed, FindingValues values) {
  return {Verdict::warning, std::move(fixed), std::move(values)};
}

Conflict refuse(Preset fixed, FindingValues values) {
  return {Verdict::refused, std::move(fixed), std::move(values)};
}

bool always(const PrecisionFacts&) {
  return true;
}

bool on_cuda(const PrecisionFacts& f) {
  return f.device.compute_capability > 0;
}

bool has_bf16(const PrecisionFacts& f) {
  return !on_cuda(f) || f.device.compute_capability >= 80;
}

bool has_fp8(const PrecisionFacts& f) {
  return !on_cuda(f) || f.device.compute_capability >= 89;
}

ComputeType sixteen_bit(const PrecisionFacts& f) {
  return has_bf16(f) ? ComputeType::bf16 : ComputeType::fp16;
}

StorageType unquantised(const PrecisionFacts& f) {
  return has_bf16(f) ? StorageType::bf16 : StorageType::fp32;
}

bool computes_fp16(const PrecisionFacts& f) {
  return activation_dtype(f.preset.precision.compute) == DType::f16;
}

bool computes_fp8(const PrecisionFacts& f) {
  return f.preset.precision.compute == ComputeType::fp8;
}

bool computes_int8(const PrecisionFacts& f) {
  return multiplied_codes(f.preset.precision.compute) == DType::i8;
}

bool computes_codes(const PrecisionFacts& f) {
  return computes_fp8(f) || computes_int8(f);
}

bool computes_half(const PrecisionFacts& f) {
  return activation_dtype(f.preset.precision.compute) != DType::f32;
}

bool is_fp8(StorageType type) {
  return type == StorageType::fp8_e4m3 || type == StorageType::fp8_e5m2;
}

bool is_fp8(DType type) {
  return type == DType::f8_e4m3 || type == DType::f8_e5m2;
}

bool is_micro(StorageType type) {
  return type == StorageType::mxfp8 || type == StorageType::nvfp4;
}

bool pin_trains(std::string_view pattern) {
  return !pattern.starts_with("vae");
}

bool has_pin(const Preset& preset, StorageType type) {
  const auto& pins = preset.precision.pins;
  return std::any_of(pins.begin(), pins.end(), [type](const auto& pin) {
    return pin.second == type && pin_trains(pin.first);
  });
}

void replace_pins(Preset& preset, StorageType from, StorageType to) {
  for (auto& [pattern, type] : preset.precision.pins) {
    if (type == from && pin_trains(pattern)) {
      type = to;
    }
  }
}

bool passes_fp16(const Preset& preset) {
  return gradients_in_fp16(preset.precision.compute, preset.precision.gradients) ||
         has_pin(preset, StorageType::fp16);
}

bool scales_loss(const Preset& preset) {
  const Preset::Precision& p = preset.precision;
  using Mode = LossScaling::Mode;
  return p.loss_scaling.mode == Mode::dynamic || p.loss_scaling.mode == Mode::fixed ||
         (p.loss_scaling.mode == Mode::automatic && gradients_in_fp16(p.compute, p.gradients));
}

bool raises_gradients(const Preset& preset) {
  const LossScaling& scaling = preset.precision.loss_scaling;
  return scales_loss(preset) && (scaling.mode != LossScaling::Mode::fixed || scaling.value > 1);
}

bool trains_weights(const Preset& preset) {
  return preset.training.method == TrainingMethod::full;
}

bool is_dora(const PrecisionFacts& f) {
  return !trains_weights(f.preset) && has_magnitudes(f.preset.adapter);
}

bool is_pissa(const PrecisionFacts& f) {
  return !trains_weights(f.preset) && f.preset.adapter.init == AdapterInit::pissa;
}

Prediction resolved_prediction(const PrecisionFacts& f) {
  const Prediction asked = f.preset.training.prediction;
  return asked == Prediction::automatic ? f.model.prediction : asked;
}

bool resolved_zero_terminal_snr(const PrecisionFacts& f) {
  return f.preset.training.zero_terminal_snr || f.model.zero_terminal_snr;
}

std::vector<PartOptimizer> part_optimizers(const Preset& preset) {
  std::vector<PartOptimizer> list;
  for (const Part part : preset.training.parts) {
    PartOptimizer o{part, preset.optimizer.type, preset.optimizer.learning_rate};
    for (const OptimizerGroup& group : preset.optimizer.groups) {
      if (group.part == part) {
        o.type = group.type.value_or(o.type);
        o.learning_rate = group.learning_rate.value_or(o.learning_rate);
      }
    }
    list.push_back(o);
  }
  return list;
}

bool any_part(const Preset& preset, bool (OptimizerRow::*property)() const) {
  const auto list = part_optimizers(preset);
  return std::any_of(list.begin(), list.end(),
                     [property](const PartOptimizer& o) { return (o.row().*property)(); });
}

double lost_update_share(double learning_rate, MasterType masters) {
  if (!(learning_rate > 0)) {
    return 1;
  }
  const int significant = masters == MasterType::bf16 ? 8 : masters == MasterType::fp16 ? 11 : 24;
  const double largest = 1 / std::sqrt(1280.0);
  const double stuck =
      std::ldexp(1.0, static_cast<int>(std::floor(std::log2(learning_rate))) + significant + 1);
  return std::max(0.0, 1 - stuck / largest);
}

}  // namespace mantissa
