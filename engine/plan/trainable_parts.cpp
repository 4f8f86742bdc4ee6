#include "engine/plan/trainable_parts.h"

#include <nlohmann/json.hpp>

#include "engine/io/family.h"

namespace mantissa {

std::optional<Finding> untrainable_part(const WeightSource& source, const Preset& preset) {
  if (preset.training.method != TrainingMethod::full) {
    return std::nullopt;
  }
  for (const Part part : preset.training.parts) {
    const PartFiles* files = source.family().part(part);
    if (files == nullptr || files->model.name != "T5EncoderModel") {
      continue;
    }
    nlohmann::json others = nlohmann::json::array();
    for (const Part other : preset.training.parts) {
      if (other != part) {
        others.push_back(other.name());
      }
    }
    return Finding{
        "parts",
        Verdict::refused,
        {"training.parts", "training.method"},
        message<
            "training.parts has {part}, the T5 of {family}, which can't be trained in full: its "
            "relative position bias gets no gradient. Take it out of training.parts, or set "
            "training.method to adapter">(part.name(), source.family().title()),
        others.empty() ? nlohmann::json{{"training.method", "adapter"}}.dump()
                       : nlohmann::json{{"training.parts", others}}.dump()};
  }
  return std::nullopt;
}

}  // namespace mantissa
