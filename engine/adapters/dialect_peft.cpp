#include "engine/adapters/peft_names.h"
#include "engine/io/module_path.h"

namespace mantissa {
namespace {

/// Canonical names of text encoders are those of a whole language model.
constexpr std::string_view kLanguageModel = "model.";

struct TopLevel {
  std::string_view model, level;  ///< in place of kLanguageModel
};
constexpr TopLevel kTopLevels[] = {{"Qwen3Model", ""},
                                   {"Qwen3VLModel", "language_model."},
                                   {"Qwen3VLForConditionalGeneration", "model.language_model."},
                                   {"Qwen2_5_VLForConditionalGeneration", "model.language_model."},
                                   {"Mistral3Model", "language_model."}};

/// base_model.model.<path>, in the folder of its part.
std::optional<std::string> peft_name(const ModuleToName& m) {
  return "base_model.model." + peft_path(m);
}

}  // namespace

std::string peft_path(const ModuleToName& m) {
  const PartFiles* files = m.files();
  for (const TopLevel& top : kTopLevels) {
    if (files != nullptr && files->model.name == top.model && m.path.starts_with(kLanguageModel)) {
      return std::string(top.level).append(m.path.substr(kLanguageModel.size()));
    }
  }
  return std::string(m.path);
}

std::optional<std::string> peft_weight(std::string_view path, const ModelNames& base) {
  const auto [part, name] = split_path(path);
  if (name.empty()) {
    return std::nullopt;
  }
  std::string written = peft_path({part, name, base});
  // Readers know the top levels that classes leave out, not those that they add.
  const bool found = written == name || std::string(kLanguageModel).append(written) == name;
  return found ? std::optional(std::move(written)) : std::nullopt;
}

/// Folders as PEFT's save_pretrained makes them.
const Dialect kPeftDialect{
    .name = "peft", .tensors = TensorNames::peft, .is_folder = true, .name_of = peft_name};

}  // namespace mantissa
