#include "engine/io/key_map.h"

namespace mantissa {

namespace {

constexpr std::string_view kTextFolder = "text_encoder";

}  // namespace

std::string part_name(Part part) {
  return part == kDenoiser ? "unet" : std::string(part.name());
}

std::string part_folder(Part part) {
  if (!is_text(part)) {
    return part_name(part);
  }
  const std::uint32_t number = stream_of(part);
  return std::string(kTextFolder) + (number == 1 ? "" : "_" + std::to_string(number));
}

std::optional<Part> part_of_folder(std::string_view folder) {
  if (folder == "unet" || folder == "transformer") {
    return kDenoiser;
  }
  if (folder == kVae.name()) {
    return kVae;
  }
  for (const char number : {'1', '2', '3', '4'}) {
    const Part text(std::string("te") + number);
    if (folder == part_folder(text)) {
      return text;
    }
  }
  return std::nullopt;
}

std::string_view ldm_prefix(Part part) {
  return part == kDenoiser ? "model.diffusion_model."
         : part == kTe1    ? "conditioner.embedders.0.transformer."
         : part == kTe2    ? "conditioner.embedders.1.model."
                           : "first_stage_model.";
}

}  // namespace mantissa
