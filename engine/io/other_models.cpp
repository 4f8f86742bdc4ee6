#include "engine/io/other_models.h"

#include <algorithm>
#include <array>

#include "engine/core/ascii.h"

namespace mantissa {
namespace {

struct OtherMark {
  std::string_view title;
  std::string_view module;   ///< in a tensor's name, dotted or with underscores
  std::string_view version;  ///< begins what its trainers write, in lower case
};

/// Chroma is FLUX.1 schnell's network with other weights, and a module of its own in place of those
/// that modulate.
constexpr std::array kOtherMarks{OtherMark{"Chroma", "distilled_guidance_layer", "chroma"}};

constexpr std::array kVersionKeys{"modelspec.architecture", "ss_base_model_version"};

}  // namespace

std::optional<OtherModel> other_model(std::span<const TensorInfo> tensors,
                                      const std::map<std::string, std::string>& metadata) {
  for (const OtherMark& mark : kOtherMarks) {
    for (const char* key : kVersionKeys) {
      const auto found = metadata.find(key);
      if (found != metadata.end() && lower_ascii(found->second).starts_with(mark.version)) {
        return OtherModel{mark.title, message<"its {key} is '{value}'">(key, found->second)};
      }
    }
    const auto own = std::ranges::find_if(tensors, [&](const TensorInfo& tensor) {
      return tensor.name.find(mark.module) != std::string::npos;
    });
    if (own != tensors.end()) {
      return OtherModel{mark.title, message<"it has '{tensor}'">(own->name)};
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
