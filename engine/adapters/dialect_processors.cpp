#include "engine/adapters/dialect.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace {

std::optional<std::string> processor(std::string_view path) {
  for (const std::string_view end : {".to_q", ".to_k", ".to_v", ".to_out.0"}) {
    if (path.ends_with(end)) {
      const std::string_view parent = path.substr(0, path.size() - end.size());
      const std::string_view last = end == ".to_out.0" ? ".to_out" : end;
      return std::string(parent) + ".processor" + std::string(last) + "_lora";
    }
  }
  return std::nullopt;
}

/// unet.….attn1.processor.to_q_lora
std::optional<std::string> processors_name(const ModuleToName& m) {
  if (!m.is_denoiser()) {
    return part_folder(m.part) + "." + std::string(m.path);
  }
  const auto name = processor(m.path);
  return name ? std::optional(part_folder(m.part) + "." + *name) : std::nullopt;
}

/// The denoiser's also without its folder.
std::vector<std::string> read_processors_names(const ModuleToName& m) {
  std::vector<std::string> names = listed(processors_name(m));
  if (const auto name = m.is_denoiser() ? processor(m.path) : std::nullopt) {
    names.push_back(*name);
  }
  return names;
}

}  // namespace

/// diffusers before PEFT.
extern const Dialect kProcessorsDialect{.name = "processors",
                                        .tensors = TensorNames::processor,
                                        .name_of = processors_name,
                                        .read_names = read_processors_names};

}  // namespace mantissa
