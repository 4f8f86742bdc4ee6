#include "engine/adapters/export_metadata.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "engine/io/file.h"
#include "engine/io/generation.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// A DoRA module of the file, or null: all are, or none.
const AdapterModule* dora_module(std::span<const AdapterModule> modules) {
  for (const AdapterModule& m : modules) {
    if (m.dora_axis) {
      return &m;
    }
  }
  return nullptr;
}

/// A LoHa or LoKr of the file, or null: all are, or none.
const ProductModule* product_module(std::span<const AdapterModule> modules) {
  const auto it =
      std::ranges::find_if(modules, [](const auto& m) { return m.product.has_value(); });
  return it == modules.end() ? nullptr : &*it->product;
}

/// Whether the kind of base model can be told: a generation's depends on what the model predicts.
bool knows_kind(const AdapterExport& options) {
  return options.generation == nullptr || !options.prediction.empty();
}

/// The one value all modules share, else "Dynamic", as readers of kohya files expect.
template <typename Get>
std::string common_value(std::span<const AdapterModule> modules, bool wide, Get get) {
  std::set<double> values;
  for (const AdapterModule& m : modules) {
    const bool is_wide = m.down_shape.rank() == 4 && m.down_shape[2] * m.down_shape[3] > 1;
    if (is_wide == wide) {
      values.insert(static_cast<double>(get(m)));
    }
  }
  return values.empty()       ? ""
         : values.size() == 1 ? fmt::format("{:g}", *values.begin())
                              : "Dynamic";
}

AdapterMetadata training_metadata(std::span<const AdapterModule> modules,
                                  const AdapterExport& options) {
  const std::string conv_dim = common_value(modules, true, file_rank);
  std::string dim = common_value(modules, false, file_rank);
  nlohmann::json args = nlohmann::json::object();
  if (!conv_dim.empty()) {
    args["conv_dim"] = conv_dim;
    args["conv_alpha"] = common_value(modules, true, file_alpha);
  }
  const AdapterModule* dora = dora_module(modules);
  if (dora != nullptr) {
    // LyCORIS's names for these two, from which other readers get the axis.
    args["algo"] = "lora";
    args["dora_wd"] = "True";
    args["wd_on_output"] = *dora->dora_axis == DoraAxis::output ? "True" : "False";
  }
  const ProductModule* product = product_module(modules);
  if (product != nullptr) {
    args["algo"] = enum_name(product->type);
    if (product->type == AdapterType::lokr) {
      args["factor"] = std::to_string(options.lokr_factor);
    }
  }
  const bool lycoris = dora != nullptr || product != nullptr;
  AdapterMetadata m{
      {"ss_v2", options.generation != nullptr && options.generation->kohya_v2 ? "True" : "False"},
      {"ss_network_module", lycoris ? "lycoris.kohya" : "networks.lora"},
      {"ss_network_dim", dim.empty() ? conv_dim : dim},
      {"ss_network_alpha", common_value(modules, /*wide=*/dim.empty(), file_alpha)},
      {"ss_network_args", args.dump()}};
  if (knows_kind(options)) {
    m["ss_base_model_version"] =
        kohya_version_of(options.base->family(), options.generation, options.prediction);
  }
  return m;
}

AdapterMetadata modelspec(const AdapterExport& options) {
  const Family& family = options.base->family();
  AdapterMetadata m{{"modelspec.sai_model_spec", "1.0.1"},
                    {"modelspec.implementation", std::string(family.implementation)},
                    {"modelspec.title", options.title.empty() ? "LoRA" : options.title}};
  if (knows_kind(options)) {
    m["modelspec.architecture"] =
        std::string(architecture_of(family, options.generation, options.prediction)) + "/lora";
  }
  const auto optional = [&](const char* key, const std::string& value) {
    if (!value.empty()) {
      m[key] = value;
    }
  };
  optional("modelspec.prediction_type", options.prediction);
  optional("modelspec.resolution", options.resolution);
  optional("modelspec.date", options.date);
  optional("modelspec.author", options.author);
  optional("modelspec.description", options.description);
  return m;
}

}  // namespace

AdapterMetadata adapter_metadata(std::span<const AdapterModule> modules,
                                 const AdapterExport& options) {
  AdapterMetadata metadata = training_metadata(modules, options);
  metadata.merge(modelspec(options));
  if (!options.preset_json.empty()) {
    metadata["mantissa.preset"] = options.preset_json;
  }
  return metadata;
}

void add_hashes(AdapterMetadata& metadata, std::span<const TensorToWrite> tensors) {
  AdapterMetadata training_only;
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

}  // namespace mantissa
