#include "engine/adapters/peft_names.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace {

/// Recent transformers leave this level out of a text encoder's paths.
constexpr std::string_view kTextLevel = "text_model.";

std::string below(std::string_view folder, std::string_view path) {
  return std::string(folder).append(1, '.').append(path);
}

/// unet.<path>, transformer.<path>, text_encoder.<path>, text_conditioner.<path>: below the folder
/// of the family.
std::optional<std::string> diffusers_name(const ModuleToName& m) {
  return below(m.files() != nullptr ? m.files()->folder : part_folder(m.part), m.path);
}

std::vector<std::string> read_diffusers_names(const ModuleToName& m) {
  std::vector<std::string> names = listed(diffusers_name(m));
  if (m.is_denoiser()) {
    names.push_back(below("unet", m.path));
    names.push_back(below("transformer", m.path));
  } else if (m.path.starts_with(kTextLevel)) {
    names.push_back(below(part_folder(m.part), m.path.substr(kTextLevel.size())));
  } else {
    names.push_back(below(part_folder(m.part), peft_path(m)));
  }
  if (const PartFiles* files = m.files(); files != nullptr && !files->simpletuner.empty()) {
    names.push_back(below("transformer", std::string(files->simpletuner).append(m.path)));
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
