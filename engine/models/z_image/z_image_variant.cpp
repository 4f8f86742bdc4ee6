#include "engine/models/z_image/z_image_variant.h"

#include <nlohmann/json.hpp>

#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {

namespace {

constexpr double kBaseShift = 6, kTurboShift = 3;

/// The scheduler's fixed shift; 0 if the model has no scheduler, or another one.
double fixed_shift(const WeightSource& source) {
  const nlohmann::json config = source.scheduler_config().value_or(nlohmann::json::object());
  const auto shift = config.find("shift");
  return shift != config.end() && shift->is_number() ? shift->get<double>() : 0;
}

}  // namespace

ModelVariant z_image_variant(const WeightSource& source) {
  for (const std::string& title : model_titles(source)) {
    if (title_says(title, "turbo")) {
      const bool turbo = title_says(title, "turbo", "de");
      return {turbo ? "Turbo" : "De-Turbo", turbo, message<"it is called '{name}'">(title)};
    }
  }
  const double shift = fixed_shift(source);
  if (shift != kBaseShift && shift != kTurboShift) {
    return {};
  }
  const bool turbo = shift == kTurboShift;
  return {turbo ? "Turbo" : "base", turbo,
          message<"its scheduler's shift is {shift}">(static_cast<int>(shift))};
}

}  // namespace mantissa
