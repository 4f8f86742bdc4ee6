#include "engine/store/headline.h"

#include "engine/core/error.h"
#include "engine/preset/family_badge.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"

namespace mantissa {

PresetHeadline preset_headline(const Preset& p) {
  const std::string type = std::string(adapter_title(p.adapter.type)) + " ";
  return {p.training.method == TrainingMethod::full ? std::string(enum_name(p.training.method))
                                                    : type + std::to_string(p.adapter.rank),
          std::string(enum_name(p.precision.weights.denoiser)) + " / " +
              std::string(enum_name(p.precision.compute)),
          family_key(p)};
}

PresetHeadline preset_headline(const std::string& preset_json) {
  try {
    return preset_headline(parse_preset(preset_json, "the run's preset"));
  } catch (const Error&) {
    return {};  // made by another version: the rest of the run can still be listed
  }
}

}  // namespace mantissa
