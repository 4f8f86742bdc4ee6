#include "engine/precision/plan.h"

#include <fmt/format.h>

#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Adds a refusal unless the setting has the one value this engine computes with.
template <typename E>
void require_value(PrecisionPlan& plan, const char* key, E actual, E wanted) {
  if (actual != wanted) {
    plan.findings.push_back({"FP32-ONLY",
                             Verdict::refused,
                             {key},
                             fmt::format("{} is {}; this engine trains in fp32. Set it to {}.", key,
                                         enum_name(actual), enum_name(wanted)),
                             fmt::format(R"({{"{}":"{}"}})", key, enum_name(wanted))});
  }
}

}  // namespace

std::string_view verdict_name(Verdict v) {
  switch (v) {
    case Verdict::works:
      return "works";
    case Verdict::adjusted:
      return "adjusted";
    case Verdict::warning:
      return "warning";
    case Verdict::refused:
      return "refused";
  }
  return "?";
}

std::string PrecisionPlan::json() const {
  return fmt::format(
      R"({{"weights":{{"unet":"{}","text_encoders":"{}","vae":"{}"}},"compute":"{}","accumulation":"{}","adapter":"{}","gradients":"{}","optimizer_state":"{}"}})",
      dtype_name(unet_weights), dtype_name(text_encoder_weights), dtype_name(vae_weights),
      dtype_name(compute), dtype_name(accumulation), dtype_name(adapter), dtype_name(gradients),
      dtype_name(optimizer_state));
}

std::string PrecisionPlan::summary() const {
  return fmt::format("W {} · compute {} · adapter {} · grad {} · state {}",
                     dtype_name(unet_weights), dtype_name(compute), dtype_name(adapter),
                     dtype_name(gradients), dtype_name(optimizer_state));
}

const PrecisionFinding* PrecisionPlan::refusal() const {
  for (const PrecisionFinding& f : findings) {
    if (f.verdict == Verdict::refused) {
      return &f;
    }
  }
  return nullptr;
}

PrecisionPlan make_precision_plan(const Preset& preset) {
  PrecisionPlan plan;
  const Preset::Precision& p = preset.precision;
  if (p.adapter == MasterType::fp16) {
    plan.findings.push_back({"S4",
                             Verdict::refused,
                             {"precision.adapter"},
                             "FP16 masters lose small updates.",
                             R"({"precision.adapter":"fp32"})"});
  } else {
    require_value(plan, "precision.adapter", p.adapter, MasterType::fp32);
  }
  require_value(plan, "precision.weights.unet", p.weights.unet, StorageType::fp32);
  require_value(plan, "precision.weights.text_encoders", p.weights.text_encoders,
                StorageType::fp32);
  require_value(plan, "precision.weights.vae", p.weights.vae, StorageType::fp32);
  require_value(plan, "precision.compute", p.compute, ComputeType::fp32);
  require_value(plan, "precision.gradients", p.gradients, MasterType::fp32);
  require_value(plan, "precision.optimizer_state", p.optimizer_state, StateType::fp32);
  require_value(plan, "adapter.type", preset.adapter.type, AdapterType::lora);
  require_value(plan, "adapter.init", preset.adapter.init, AdapterInit::standard);
  require_value(plan, "optimizer.type", preset.optimizer.type, OptimizerType::adamw);
  if (!p.pins.empty()) {
    plan.findings.push_back({"FP32-ONLY",
                             Verdict::warning,
                             {"precision.pins"},
                             "Pins change nothing while everything is fp32.",
                             R"({"precision.pins":{}})"});
  }
  return plan;
}

}  // namespace mantissa
