#include "engine/adapters/module_weight.h"

#include "engine/core/error.h"
#include "engine/io/module_path.h"

namespace mantissa {

std::pair<Part, std::string> part_and_weight(std::string_view path) {
  const auto [part, name] = split_path(path);
  if (part == kVae || name.empty()) {
    throw Error(Message::verbatim(std::string(path) + ": no module of a denoiser or text encoder"));
  }
  return {part, std::string(name)};
}

std::pair<Part, std::string> weight_of_module(std::string_view path) {
  auto [part, name] = part_and_weight(path);
  return {part, name + ".weight"};
}

}  // namespace mantissa
