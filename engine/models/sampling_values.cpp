#include "engine/models/sampling_values.h"

#include "engine/io/family.h"
#include "engine/io/model_titles.h"
#include "engine/models/diffusion_model.h"

namespace mantissa {
namespace {

std::string_view variant_name(const WeightSource& source) {
  const auto variant = source.family().variant;
  return variant != nullptr ? variant(source).name : std::string_view();
}

}  // namespace

SamplingValues sampling_values(const WeightSource& source, SamplingValues usual) {
  const std::string_view variant = variant_name(source);
  for (const VariantSampling& own : source.family().sampling) {
    if (own.variant == variant) {
      return {own.steps, own.guidance};
    }
  }
  return usual;
}

SamplingValues sampling_values(const WeightSource& source, const SamplePrompt& prompt) {
  const SamplingValues given{prompt.steps, prompt.guidance};
  return given == SamplingValues() ? sampling_values(source) : given;
}

Message unread_negative(const DiffusionModel& model, const std::string& negative, double guidance) {
  if (negative.empty()) {
    return {};
  }
  if (model.takes_guidance()) {
    return message<
        "the negative prompt has no effect: {model} takes the guidance scale as an "
        "input, without a pass for what to steer away from">(full_title(model.source()));
  }
  if (guidance == 1) {
    return message<"the negative prompt has no effect: guidance is 1, which turns guidance off">();
  }
  return {};
}

}  // namespace mantissa
