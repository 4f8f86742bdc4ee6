#include "engine/adapters/module_weight.h"

#include "engine/core/error.h"
#include "engine/io/part_names.h"

namespace mantissa {

std::pair<Part, std::string> part_and_weight(std::string_view path) {
  const std::size_t dot = path.find('.');
  const auto part = part_of_folder(path.substr(0, dot));
  if (!part || *part == kVae || dot == std::string_view::npos) {
    throw Error(
        message<"the module path '{path}' must start with unet., text_encoder. or text_encoder_2.">(
            path));
  }
  return {*part, std::string(path.substr(dot + 1))};
}

std::pair<Part, std::string> weight_of_module(std::string_view path) {
  auto [part, name] = part_and_weight(path);
  return {part, name + ".weight"};
}

}  // namespace mantissa
