#include "engine/io/adapter_origin.h"

#include <algorithm>
#include <array>

#include "engine/core/ascii.h"
#include "engine/io/family.h"

namespace mantissa {
namespace {

constexpr std::array kVersionKeys{"modelspec.architecture", "ss_base_model_version"};

}  // namespace

std::optional<AdapterOrigin> adapter_origin(std::span<const TensorInfo> tensors,
                                            const std::map<std::string, std::string>& metadata) {
  for (const Family* family : families()) {
    const std::string_view own_module = family->marks.own_module;
    if (own_module.empty()) {
      continue;
    }
    for (const char* key : kVersionKeys) {
      const auto found = metadata.find(key);
      if (found != metadata.end() &&
          lower_ascii(found->second).starts_with(lower_ascii(family->title()))) {
        return AdapterOrigin{family, message<"its {key} is '{value}'">(key, found->second)};
      }
    }
    const auto own = std::ranges::find_if(tensors, [&](const TensorInfo& tensor) {
      return tensor.name.find(own_module) != std::string::npos;
    });
    if (own != tensors.end()) {
      return AdapterOrigin{family, message<"it has '{tensor}'">(own->name)};
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
