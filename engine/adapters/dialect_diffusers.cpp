#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// Recent transformers leave this level out of a text encoder's paths.
constexpr std::string_view kTextLevel = "text_model.";

/// unet.<path>, text_encoder.<path>
std::optional<std::string> diffusers_name(const ModuleToName& m) {
  return part_folder(m.part) + "." + std::string(m.path);
}

std::vector<std::string> other_diffusers_names(const ModuleToName& m) {
  if (m.is_denoiser()) {
    return {"transformer." + std::string(m.path)};
  }
  if (m.path.starts_with(kTextLevel)) {
    return {part_folder(m.part) + "." + std::string(m.path.substr(kTextLevel.size()))};
  }
  return {};
}

}  // namespace

/// diffusers and PEFT in one file, whose readers take alpha = rank.
const Dialect kDiffusersDialect{.name = "diffusers",
                                .tensors = TensorNames::peft,
                                .keeps_alpha = false,
                                .name_of = diffusers_name,
                                .also_read = other_diffusers_names};

}  // namespace mantissa
