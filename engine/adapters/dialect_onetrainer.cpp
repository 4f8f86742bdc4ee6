#include "engine/adapters/dialect.h"
#include "engine/adapters/peft_names.h"

namespace mantissa {
namespace {

std::string_view prefix_of(const PartFiles& files) {
  return files.onetrainer.empty() ? files.kohya : files.onetrainer;
}

/// Its text encoder of Qwen-Image is the whole model that sees too, with a level of its own.
std::string path_in_class(const ModuleToName& m) {
  constexpr std::string_view kSeeing = "Qwen2_5_VLForConditionalGeneration";
  return m.files() != nullptr && m.files()->model.name == kSeeing ? peft_path(m)
                                                                  : std::string(m.path);
}

/// kohya's names with diffusers' paths, in some families with other prefixes.
std::optional<std::string> onetrainer_name(const ModuleToName& m) {
  const PartFiles* files = m.files();
  return files != nullptr && !prefix_of(*files).empty()
             ? std::optional(underscored(prefix_of(*files), path_in_class(m)))
             : std::nullopt;
}

/// The newer names of a denoiser: those of the checkpoints, with a fused module's shares numbered.
std::optional<std::string> numbered_name(const ModuleToName& m) {
  constexpr std::string_view kHead = "transformer.";
  if (const auto fused = m.in_original ? std::nullopt : m.base.fused(m.part, m.path)) {
    return std::string(kHead) + fused->path + '.' + std::to_string(fused->slice);
  }
  const auto original = m.original();
  return original ? std::optional(std::string(kHead) + *original) : std::nullopt;
}

/// Encoders numbered, and the first also unnumbered, in any family.
std::vector<std::string> read_onetrainer_names(const ModuleToName& m) {
  const PartFiles* files = m.files();
  if (m.is_denoiser()) {
    // The latter is PixArt's, and AI Toolkit's for any transformer.
    std::vector<std::string> names{underscored("lora_unet_", m.path),
                                   underscored("lora_transformer_", m.path)};
    if (files != nullptr && !files->onetrainer.empty()) {
      names.push_back(underscored(files->onetrainer, m.path));
    }
    if (auto numbered = numbered_name(m)) {
      names.push_back(*std::move(numbered));
    }
    return names;
  }
  std::vector<std::string> names{underscored("lora_" + std::string(m.part.name()) + "_", m.path)};
  if (stream_of(m.part) == 1) {
    names.push_back(underscored("lora_te_", m.path));
  }
  return names;
}

}  // namespace

extern const Dialect kOneTrainerDialect{
    .name = "onetrainer", .name_of = onetrainer_name, .read_names = read_onetrainer_names};

}  // namespace mantissa
