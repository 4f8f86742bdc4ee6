#include "engine/io/stored_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/error.h"

namespace mantissa {
namespace {

constexpr std::string_view kWeight = ".weight", kFormat = ".comfy_quant", kMark = "scaled_fp8";
constexpr std::array<std::string_view, 2> kScales{".scale_weight", ".weight_scale"};
constexpr std::array<std::string_view, 2> kInputScales{".scale_input", ".input_scale"};
constexpr std::string_view kHeaderKey = "_quantization_metadata";

/// The name before one of these endings.
template <std::size_t N>
std::optional<std::string_view> module_of(std::string_view name,
                                          const std::array<std::string_view, N>& endings) {
  for (const std::string_view end : endings) {
    if (name.ends_with(end) && name.size() > end.size()) {
      return name.substr(0, name.size() - end.size());
    }
  }
  return std::nullopt;
}

bool is_fp8(const TensorInfo& t) {
  return t.type == DType::f8_e4m3 || t.type == DType::f8_e5m2;
}

[[noreturn]] void fail_format(const std::string& label, std::string_view module,
                              std::string_view format) {
  throw Error(
      message<"'{file}': {module} is quantised as {format}, which can't be read; use a model in "
              "BF16, F16 or FP8 (float8_e4m3fn, float8_e5m2)">(label, module, format));
}

/// Refuses a module whose weights aren't codes times scales, by what describes it:
/// {"format": "float8_e4m3fn", …}.
void check_format(const nlohmann::json& config, std::string_view module, const std::string& label) {
  const auto is_set = [&](const char* flag) {
    const auto at = config.find(flag);
    return at != config.end() && *at != false && !at->is_null();
  };
  const bool named =
      config.is_object() && config.contains("format") && config["format"].is_string();
  const std::string format = named ? config["format"].get<std::string>() : config.dump();
  if (format != "float8_e4m3fn" && format != "float8_e5m2") {
    fail_format(label, module, format);
  }
  if (is_set("convrot")) {
    fail_format(label, module, format + " with a rotation (convrot)");
  }
}

void check_header(const std::string& text, const std::string& label) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto layers = json.find("layers");
  if (!json.is_object() || layers == json.end() || !layers->is_object()) {
    throw Error(message<"'{file}': metadata key {key} must be a JSON object with \"layers\"">(
        label, kHeaderKey));
  }
  for (const auto& [module, config] : layers->items()) {
    check_format(config, module, label);
  }
}

std::vector<float> scale_values(const TensorInfo& scale, const TensorInfo& weight,
                                const std::string& label) {
  const std::int64_t rows = weight.dims.empty() ? 1 : weight.dims[0], count = scale.count();
  const bool per_row =
      count == rows && (scale.dims.size() == 1 || (scale.dims.size() == 2 && scale.dims[1] == 1));
  if (scale.type != DType::f32 || (count != 1 && !per_row)) {
    throw Error(message<"'{file}': {tensor} is {type} {shape}; scales must be F32, one for the "
                        "weight or one for each of its {rows} rows">(label, scale.name, scale.dtype,
                                                                     scale.shape().str(), rows));
  }
  std::vector<float> values(static_cast<std::size_t>(count));
  std::memcpy(values.data(), scale.data, scale.bytes);
  if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); })) {
    throw Error(message<"'{file}': {tensor} has a scale that is not finite">(label, scale.name));
  }
  return values;
}

}  // namespace

StoredScales::StoredScales(std::span<const TensorInfo> tensors,
                           const std::map<std::string, std::string>& metadata,
                           const std::string& label) {
  std::map<std::string_view, const TensorInfo*> weights;
  for (const TensorInfo& t : tensors) {
    if (t.name.ends_with(kWeight)) {
      weights.emplace(t.name, &t);
    }
  }
  const auto weight_of = [&](std::string_view module) {
    const auto found = weights.find(std::string(module).append(kWeight));
    return found == weights.end() ? nullptr : found->second;
  };
  if (const auto header = metadata.find(std::string(kHeaderKey)); header != metadata.end()) {
    check_header(header->second, label);
  }
  for (const TensorInfo& t : tensors) {
    if (const auto module = module_of(t.name, std::array{kFormat}); module && weight_of(*module)) {
      const std::string text(reinterpret_cast<const char*>(t.data), t.bytes);
      check_format(nlohmann::json::parse(text, nullptr, false), *module, label);
      tensors_.insert(t.name);
    } else if (const auto scaled = module_of(t.name, kScales); scaled && weight_of(*scaled)) {
      const TensorInfo& weight = *weight_of(*scaled);
      if (!is_fp8(weight)) {
        fail_format(label, *scaled, weight.dtype + " with scales");
      }
      tensors_.insert(t.name);
      if (!scales_.emplace(weight.name, scale_values(t, weight, label)).second) {
        throw Error(message<"'{file}': {module} has two tensors of scales (one is {tensor})">(
            label, *scaled, t.name));
      }
    } else if (const auto input = module_of(t.name, kInputScales);
               (input && weight_of(*input)) || t.name == kMark ||
               t.name.ends_with(std::string(".").append(kMark))) {
      tensors_.insert(t.name);
    }
  }
}

std::span<const float> StoredScales::of(std::string_view weight) const {
  const auto found = scales_.find(weight);
  return found == scales_.end() ? std::span<const float>() : std::span<const float>(found->second);
}

}  // namespace mantissa
