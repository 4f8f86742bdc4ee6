#include "engine/models/sampling_values.h"

#include <algorithm>
#include <array>

#include "engine/io/family.h"
#include "engine/io/model_titles.h"
#include "engine/models/diffusion_model.h"

namespace mantissa {
namespace {

/// A variant as ModelVariant names it, and its pipeline's values.
struct OwnValues {
  std::string_view family, variant;
  SamplingValues values;
};
constexpr std::array kOwnValues{
    OwnValues{"flux1", "dev", {28, 3.5}},   OwnValues{"flux1", "Krea dev", {28, 4.5}},
    OwnValues{"flux1", "schnell", {4, 1}},  OwnValues{"flux2", "4-step", {4, 1}},
    OwnValues{"flux3", "16-step", {16, 1}}, OwnValues{"krea2", "Turbo", {8, 1}},
    OwnValues{"z_image", "Turbo", {8, 1}}};

std::string_view variant_name(const WeightSource& source) {
  const auto variant = source.family().variant;
  return variant != nullptr ? variant(source).name : std::string_view();
}

}  // namespace

SamplingValues sampling_values(const WeightSource& source, SamplingValues usual) {
  const std::string_view family = source.family().id().name(), variant = variant_name(source);
  const auto* own = std::ranges::find_if(kOwnValues, [&](const OwnValues& row) {
    return row.family == family && row.variant == variant;
  });
  return own != kOwnValues.end() ? own->values : usual;
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
