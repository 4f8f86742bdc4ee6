#include "engine/io/stored_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/error.h"
#include "engine/io/quant_formats.h"

namespace mantissa {
namespace {

constexpr std::string_view kMark = "scaled_fp8";
constexpr std::array<std::string_view, 2> kScales{".scale_weight", ".weight_scale"};
constexpr std::array<std::string_view, 2> kInputScales{".scale_input", ".input_scale"};

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

constexpr std::string_view kInt8 = "int8_tensorwise";
constexpr int kLargestGroup = 4096;

bool is_power_of_four(std::int64_t n) {
  while (n > 1 && n % 4 == 0) {
    n /= 4;
  }
  return n == 1;
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

/// Refuses a module whose weights aren't codes times scales, by what describes it:
/// {"format": "float8_e4m3fn", …}.
StoredScales::Format StoredScales::format_of(const nlohmann::json& config, std::string_view module,
                                             const std::string& label) {
  const auto is_set = [&](const char* flag) {
    const auto at = config.find(flag);
    return at != config.end() && *at != false && !at->is_null();
  };
  const std::string named = format_name(config);
  const std::string format = named.empty() ? config.dump() : named;
  if (format != "float8_e4m3fn" && format != "float8_e5m2" && format != kInt8) {
    fail_format(label, module, format);
  }
  const bool rotated = is_set("convrot");
  if (rotated && format != kInt8) {
    fail_format(label, module, format + " with a rotation (convrot)");
  }
  if (!rotated) {
    return {.int8 = format == kInt8};
  }
  const nlohmann::json size = config.value("convrot_groupsize", nlohmann::json(256));
  if (!size.is_number_integer() || size < 4 || size > kLargestGroup ||
      !is_power_of_four(size.get<std::int64_t>())) {
    fail_format(label, module, format + " with a rotation of " + size.dump() + " columns");
  }
  return {.int8 = true, .rotation = size.get<int>()};
}

void StoredScales::read_formats(std::span<const TensorInfo> tensors,
                                const std::map<std::string, std::string>& metadata,
                                const std::string& label) {
  std::set<std::string_view> in_blocks;  // read by read_block_scaled
  for (const TensorInfo& t : tensors) {
    if (t.block_scales != nullptr) {
      in_blocks.insert(module_before(t.name, kWeightEnding));
    }
  }
  for (const auto& [module, config] : QuantFormats::read(tensors, metadata, label).of_module) {
    if (!in_blocks.contains(module)) {
      formats_[module] = format_of(config, module, label);
      tensors_.insert(module + std::string(kFormatEnding));
    }
  }
}

void StoredScales::add_scales(const TensorInfo& scale, const TensorInfo& weight,
                              std::string_view module, const std::string& label) {
  const auto described = formats_.find(module);
  const bool int8 = weight.type == DType::i8;
  if (!int8 && !is_fp8(weight)) {
    fail_format(label, module, weight.dtype + " with scales");
  }
  if (int8 && described == formats_.end()) {
    throw Error(message<"'{file}': {module} holds INT8 codes, and nothing says whether they are "
                        "rotated ({module}.comfy_quant is missing); convert the model again">(
        label, module));
  }
  if (described != formats_.end() && described->second.int8 != int8) {
    fail_format(label, module, weight.dtype + " under another format's name");
  }
  const int rotation = int8 ? described->second.rotation : 0;
  if (rotation > 0) {
    if (weight.dims.size() != 2 || weight.dims[1] % rotation != 0) {
      fail_format(label, module,
                  "INT8 with a rotation of " + std::to_string(rotation) +
                      " columns, which don't divide its " +
                      std::to_string(weight.dims.empty() ? 0 : weight.dims.back()));
    }
    rotations_[weight.name] = rotation;
  }
  tensors_.insert(scale.name);
  if (!scales_.emplace(weight.name, scale_values(scale, weight, label)).second) {
    throw Error(message<"'{file}': {module} has two tensors of scales (one is {tensor})">(
        label, module, scale.name));
  }
}

StoredScales::StoredScales(std::span<const TensorInfo> tensors,
                           const std::map<std::string, std::string>& metadata,
                           const std::string& label) {
  std::map<std::string_view, const TensorInfo*> weights;
  for (const TensorInfo& t : tensors) {
    if (t.name.ends_with(kWeightEnding)) {
      weights.emplace(t.name, &t);
    }
  }
  const auto weight_of = [&](std::string_view module) {
    const auto found = weights.find(std::string(module).append(kWeightEnding));
    return found == weights.end() ? nullptr : found->second;
  };
  read_formats(tensors, metadata, label);
  for (const TensorInfo& t : tensors) {
    if (const auto scaled = module_of(t.name, kScales); scaled && weight_of(*scaled)) {
      add_scales(t, *weight_of(*scaled), *scaled, label);
    } else if (const auto input = module_of(t.name, kInputScales);
               (input && weight_of(*input)) || t.name == kMark ||
               t.name.ends_with(std::string(".").append(kMark))) {
      tensors_.insert(t.name);
    }
  }
}

int StoredScales::rotation(std::string_view weight) const {
  const auto found = rotations_.find(weight);
  return found == rotations_.end() ? 0 : found->second;
}

std::span<const float> StoredScales::of(std::string_view weight) const {
  const auto found = scales_.find(weight);
  return found == scales_.end() ? std::span<const float>() : std::span<const float>(found->second);
}

}  // namespace mantissa
