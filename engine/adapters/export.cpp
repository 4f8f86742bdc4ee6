#include "engine/adapters/export.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"

namespace mantissa {
namespace {

using Metadata = std::map<std::string, std::string>;

DType dtype_of(MasterType type) {
  return type == MasterType::fp32   ? DType::f32
         : type == MasterType::bf16 ? DType::bf16
                                    : DType::f16;
}

/// A tensor with its own bytes, so that TensorToWrite can point at them.
struct Stored {
  std::string name;
  DType dtype;
  Shape shape;
  std::vector<std::byte> bytes;
};

Stored store(const std::string& name, const Shape& shape, std::span<const float> values,
             float scale, DType dtype) {
  Stored out{name, dtype, shape, std::vector<std::byte>(values.size() * dtype_size(dtype))};
  dispatch_float(dtype, [&]<typename T>() {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float value = values[i] * scale;
      const T narrow = static_cast<T>(value);
      if (std::isfinite(value) && !std::isfinite(static_cast<float>(narrow))) {
        throw Error(name + ": " + std::string(dtype_name(dtype)) + " can't hold the value " +
                    fmt::format("{:g}", value) + "; set output.dtype to bf16 or fp32");
      }
      std::memcpy(out.bytes.data() + i * sizeof(T), &narrow, sizeof(T));
    }
  });
  return out;
}

std::vector<Stored> kohya_tensors(std::span<const LoraModule> modules, const LoraExport& options) {
  const DType dtype = dtype_of(options.dtype);
  std::vector<Stored> tensors;
  for (const LoraModule& m : modules) {
    const std::string name = kohya_module_name(m.path, options.layout, options.style);
    const auto alpha = static_cast<float>(m.alpha);
    tensors.push_back(store(name + ".lora_down.weight", m.down_shape, m.down, 1.0F, dtype));
    tensors.push_back(store(name + ".lora_up.weight", m.up_shape, m.up, 1.0F, dtype));
    tensors.push_back(store(name + ".alpha", {}, {&alpha, 1}, 1.0F, DType::f32));
  }
  return tensors;
}

std::vector<Stored> peft_tensors(std::span<const LoraModule> modules, const LoraExport& options) {
  const DType dtype = dtype_of(options.dtype);
  std::vector<Stored> tensors;
  for (const LoraModule& m : modules) {
    const auto scale = static_cast<float>(m.alpha / m.rank);
    tensors.push_back(store(m.path + ".lora_A.weight", m.down_shape, m.down, 1.0F, dtype));
    tensors.push_back(store(m.path + ".lora_B.weight", m.up_shape, m.up, scale, dtype));
  }
  return tensors;
}

/// The one value all modules share, else "Dynamic", as readers of kohya files expect.
template <typename Get>
std::string common_value(std::span<const LoraModule> modules, bool wide, Get get) {
  std::set<double> values;
  for (const LoraModule& m : modules) {
    const bool is_wide = m.down_shape.rank() == 4 && m.down_shape[2] * m.down_shape[3] > 1;
    if (is_wide == wide) {
      values.insert(static_cast<double>(get(m)));
    }
  }
  return values.empty()       ? ""
         : values.size() == 1 ? fmt::format("{:g}", *values.begin())
                              : "Dynamic";
}

Metadata training_metadata(std::span<const LoraModule> modules, const LoraExport& options) {
  const auto rank = [](const LoraModule& m) { return m.rank; };
  const auto alpha = [](const LoraModule& m) { return m.alpha; };
  const std::string conv_dim = common_value(modules, true, rank);
  std::string dim = common_value(modules, false, rank);
  nlohmann::json args = nlohmann::json::object();
  if (!conv_dim.empty()) {
    args["conv_dim"] = conv_dim;
    args["conv_alpha"] = common_value(modules, true, alpha);
  }
  return {{"ss_v2", "False"},
          {"ss_base_model_version", options.style == KohyaStyle::sdxl ? "sdxl_base_v1-0" : "sd_v1"},
          {"ss_network_module", "networks.lora"},
          {"ss_network_dim", dim.empty() ? conv_dim : dim},
          {"ss_network_alpha",
           dim.empty() ? common_value(modules, true, alpha) : common_value(modules, false, alpha)},
          {"ss_network_args", args.dump()}};
}

Metadata modelspec(const LoraExport& options) {
  Metadata m{{"modelspec.sai_model_spec", "1.0.1"},
             {"modelspec.architecture", options.style == KohyaStyle::sdxl
                                            ? "stable-diffusion-xl-v1-base/lora"
                                            : "stable-diffusion-v1/lora"},
             {"modelspec.implementation", "https://github.com/Stability-AI/generative-models"},
             {"modelspec.title", options.title.empty() ? "LoRA" : options.title},
             {"modelspec.prediction_type", options.prediction == Prediction::v ? "v" : "epsilon"}};
  const auto optional = [&](const char* key, const std::string& value) {
    if (!value.empty()) {
      m[key] = value;
    }
  };
  optional("modelspec.resolution", options.resolution);
  optional("modelspec.date", options.date);
  optional("modelspec.author", options.author);
  optional("modelspec.description", options.description);
  return m;
}

/// Hashes by which other programs know a file: over the tensor bytes, and the legacy one over
/// 64 KiB at 1 MiB of the file written with ss_ metadata only.
void add_hashes(Metadata& metadata, std::span<const TensorToWrite> tensors) {
  Metadata training_only;
  for (const auto& [key, value] : metadata) {
    if (key.starts_with("ss_")) {
      training_only[key] = value;
    }
  }
  const std::vector<std::byte> file = serialize_safetensors(tensors, training_only);
  std::uint64_t header = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    header |= static_cast<std::uint64_t>(file[i]) << (8 * i);
  }
  const std::span<const std::byte> bytes(file);
  const std::string body = sha256_hex(bytes.subspan(8 + header));
  constexpr std::size_t kLegacyOffset = 0x100000, kLegacyBytes = 0x10000;
  const std::size_t begin = std::min(kLegacyOffset, bytes.size());
  const std::size_t count = std::min(kLegacyBytes, bytes.size() - begin);
  metadata["sshs_model_hash"] = body;
  metadata["sshs_legacy_hash"] = sha256_hex(bytes.subspan(begin, count)).substr(0, 8);
  metadata["modelspec.hash_sha256"] = "0x" + body;
}

}  // namespace

void write_lora(const std::filesystem::path& path, std::span<const LoraModule> modules,
                const LoraExport& options) {
  if (modules.empty()) {
    throw Error(path_to_utf8(path) + ": there is no adapter to write");
  }
  const std::vector<Stored> stored = options.format == OutputFormat::diffusers
                                         ? peft_tensors(modules, options)
                                         : kohya_tensors(modules, options);
  std::vector<TensorToWrite> tensors;
  tensors.reserve(stored.size());
  for (const Stored& s : stored) {
    tensors.push_back({s.name, s.dtype, s.shape, s.bytes.data(), {}});
  }
  Metadata metadata = training_metadata(modules, options);
  metadata.merge(modelspec(options));
  metadata["format"] = "pt";
  if (!options.preset_json.empty()) {
    metadata["mantissa.preset"] = options.preset_json;
  }
  for (const auto& [key, value] : options.metadata) {
    metadata[key] = value;
  }
  add_hashes(metadata, tensors);
  write_safetensors(path, tensors, metadata);
}

}  // namespace mantissa
