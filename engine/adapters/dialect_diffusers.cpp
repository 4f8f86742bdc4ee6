#include "engine/adapters/peft_names.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace {

/// Recent transformers leave this level out of a text encoder's paths.
constexpr std::string_view kTextLevel = "text_model.";

/// unet.<path>, text_encoder.<path>, text_conditioner.<path>
std::optional<std::string> diffusers_name(const ModuleToName& m) {
  const bool own = !m.is_denoiser() && m.files() != nullptr;
  return (own ? std::string(m.files()->folder) : part_folder(m.part)) + "." + std::string(m.path);
}

std::vector<std::string> read_diffusers_names(const ModuleToName& m) {
  std::vector<std::string> names = listed(diffusers_name(m));
  if (m.is_denoiser()) {
    names.push_back("transformer." + std::string(m.path));
  } else if (m.path.starts_with(kTextLevel)) {
    names.push_back(part_folder(m.part) + "." + std::string(m.path.substr(kTextLevel.size())));
  } else {
    names.push_back(part_folder(m.part) + "." + peft_path(m));
  }
  return names;
}

}  // namespace

/// diffusers and PEFT in one file, whose readers assume alpha = rank.
const Dialect kDiffusersDialect{.name = "diffusers",
                                .tensors = TensorNames::peft,
                                .keeps_alpha = false,
                                .name_of = diffusers_name,
                                .read_names = read_diffusers_names};

}  // namespace mantissa
