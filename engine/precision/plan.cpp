#include "engine/precision/plan.h"

#include <fmt/format.h>

#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Adds a refusal unless the setting has the one value that is trained with.
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
  const Preset::Precision& p = effective.precision;
  return fmt::format(
      R"({{"weights":{{"unet":"{}","text_encoders":"{}","vae":"{}"}},"compute":"{}","accumulation":"fp32","adapter":"{}","gradients":"{}","optimizer_state":"{}"}})",
      enum_name(p.weights.unet), enum_name(p.weights.text_encoders), enum_name(p.weights.vae),
      enum_name(p.compute), enum_name(p.adapter), enum_name(p.gradients),
      enum_name(p.optimizer_state));
}

std::string PrecisionPlan::summary() const {
  const Preset::Precision& p = effective.precision;
  return fmt::format("W {} · compute {} · adapter {} · grad {} · state {}",
                     enum_name(p.weights.unet), enum_name(p.compute), enum_name(p.adapter),
                     enum_name(p.gradients), enum_name(p.optimizer_state));
}

const PrecisionFinding* PrecisionPlan::refusal() const {
  for (const PrecisionFinding& f : findings) {
    if (f.verdict == Verdict::refused) {
      return &f;
    }
  }
  return nullptr;
}

PrecisionPlan make_precision_plan(const Preset& preset, const ModelFacts&, const DeviceFacts&) {
  PrecisionPlan plan;
  plan.effective = preset;
  if (preset.precision.adapter == MasterType::fp16) {
    plan.findings.push_back({"S4",
                             Verdict::refused,
                             {"precision.adapter"},
                             "FP16 masters lose small updates.",
                             R"({"precision.adapter":"fp32"})"});
  }
  const Preset::Precision& p = preset.precision;
  require_value(plan, "precision.gradients", p.gradients, MasterType::fp32);
  require_value(plan, "precision.optimizer_state", p.optimizer_state, StateType::fp32);
  require_value(plan, "adapter.type", preset.adapter.type, AdapterType::lora);
  require_value(plan, "adapter.init", preset.adapter.init, AdapterInit::standard);
  require_value(plan, "optimizer.type", preset.optimizer.type, OptimizerType::adamw);
  plan.rules = PrecisionRules(plan.effective.precision);
  return plan;
}

}  // namespace mantissa
