#include "engine/io/bundled_name.h"

namespace mantissa {

std::optional<BundledName> bundled_name(std::string_view tensor) {
  constexpr std::string_view kA1111Key = ".string_to_param.*";  // of a sole text encoder
  if (!tensor.starts_with(kBundledEmbedding)) {
    return std::nullopt;
  }
  const std::string_view name = tensor.substr(kBundledEmbedding.size());
  const std::size_t dot =
      name.ends_with(kA1111Key) ? name.size() - kA1111Key.size() : name.rfind('.');
  return dot == std::string_view::npos ? BundledName{name, {}}
                                       : BundledName{name.substr(0, dot), name.substr(dot + 1)};
}

}  // namespace mantissa
