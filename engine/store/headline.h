#pragma once

#include <string>

#include "engine/preset/preset.h"

namespace mantissa {

/// A preset in short texts.
struct PresetHeadline {
  std::string adapter;    ///< "LoRA 16", "DoRA 8", "full"
  std::string precision;  ///< storage and compute of the denoiser: "fp8_e4m3 / bf16"
  std::string family;     ///< as family_badge.h knows it; empty if any will do
};

PresetHeadline preset_headline(const Preset& preset);
/// Headline of a frozen preset's JSON; empty texts if it can no longer be read.
PresetHeadline preset_headline(const std::string& preset_json);

}  // namespace mantissa
