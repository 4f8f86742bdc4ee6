#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/safetensors.h"

namespace mantissa {

/// What a file says of its quantised modules, by module: `<module>.comfy_quant`, a U8 tensor with
/// JSON, beside `<module>.weight`, or `_quantization_metadata` in the header.
struct QuantFormats {
  std::map<std::string, nlohmann::json, std::less<>> of_module;
  /// Throws Error naming the file for a header that can't be read.
  static QuantFormats read(std::span<const TensorInfo> tensors,
                           const std::map<std::string, std::string>& metadata,
                           const std::string& label);
};

/// Its "format"; empty if it has none.
std::string format_name(const nlohmann::json& description);

/// The module of a tensor with that ending; empty for other tensors.
std::string_view module_before(std::string_view tensor, std::string_view ending);

inline constexpr std::string_view kFormatEnding = ".comfy_quant", kWeightEnding = ".weight";

}  // namespace mantissa
