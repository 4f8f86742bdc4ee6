#include "engine/store/headline.h"

#include "engine/core/error.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"

namespace mantissa {

PresetHeadline preset_headline(const std::string& preset_json) {
  PresetHeadline line;
  try {
    const Preset p = parse_preset(preset_json, "the run's preset");
    const std::string type = p.adapter.type == AdapterType::dora ? "DoRA " : "LoRA ";
    line.adapter = p.training.method == TrainingMethod::full
                       ? std::string(enum_name(p.training.method))
                       : type + std::to_string(p.adapter.rank);
    line.precision = std::string(enum_name(p.precision.weights.denoiser)) + " / " +
                     std::string(enum_name(p.precision.compute));
  } catch (const Error&) {
    // Made by another version: the rest of the run can still be listed.
  }
  return line;
}

}  // namespace mantissa
