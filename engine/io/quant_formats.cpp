#include "engine/io/quant_formats.h"

#include <set>

#include "engine/core/error.h"
#include "engine/io/json_file.h"

namespace mantissa {

std::string_view module_before(std::string_view tensor, std::string_view ending) {
  return tensor.ends_with(ending) ? tensor.substr(0, tensor.size() - ending.size())
                                  : std::string_view();
}

std::string format_name(const nlohmann::json& description) {
  const bool named = description.is_object() && description.contains("format") &&
                     description["format"].is_string();
  return named ? description["format"].get<std::string>() : std::string();
}

QuantFormats QuantFormats::read(std::span<const TensorInfo> tensors,
                                const std::map<std::string, std::string>& metadata,
                                const std::string& label) {
  constexpr std::string_view kHeaderKey = "_quantization_metadata";
  QuantFormats formats;
  if (const auto header = metadata.find(std::string(kHeaderKey)); header != metadata.end()) {
    const nlohmann::json json = parse_json_or_discard(header->second);
    const auto layers = json.find("layers");
    if (!json.is_object() || layers == json.end() || !layers->is_object()) {
      throw Error(message<"'{file}': metadata key {key} must be a JSON object with \"layers\"">(
          label, kHeaderKey));
    }
    for (const auto& [module, config] : layers->items()) {
      formats.of_module[module] = config;
    }
  }
  std::set<std::string_view> weights;
  for (const TensorInfo& t : tensors) {
    if (const auto module = module_before(t.name, kWeightEnding); !module.empty()) {
      weights.insert(module);
    }
  }
  for (const TensorInfo& t : tensors) {
    const std::string_view module = module_before(t.name, kFormatEnding);
    if (!module.empty() && weights.contains(module)) {
      const std::string text(reinterpret_cast<const char*>(t.data), t.bytes);
      formats.of_module[std::string(module)] = parse_json_or_discard(text);
    }
  }
  return formats;
}

}  // namespace mantissa
