#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/adapters/export.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/safetensors.h"

namespace mantissa {
namespace {

using Table = std::map<std::string, std::string, std::less<>>;

enum class Role { down, up, alpha, magnitude };

struct Suffix {
  std::string_view text;
  Role role;
};

constexpr Suffix kSuffixes[] = {
    {".lora_down.weight", Role::down},
    {".lora_up.weight", Role::up},
    {".alpha", Role::alpha},
    {".lora_A.weight", Role::down},
    {".lora_B.weight", Role::up},
    {".lora.down.weight", Role::down},
    {".lora.up.weight", Role::up},
    {".dora_scale", Role::magnitude},
    {".lora_magnitude_vector", Role::magnitude},
    {".lora_magnitude_vector.weight", Role::magnitude},
};

/// Endings of other adapter forms: read as plain LoRA they would give wrong images.
constexpr std::string_view kOtherForms[] = {"lora_mid.weight", "hada_",     "lokr_", "oft_",
                                            "diff_b",          "bundle_emb"};

std::vector<float> floats_of(const TensorInfo& tensor, const std::string& file) {
  const auto count = static_cast<std::size_t>(tensor.count());
  std::vector<float> out(count);
  const auto convert = [&]<typename T>() {
    for (std::size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, tensor.data + i * sizeof(T), sizeof(T));
      out[i] = static_cast<float>(value);
    }
  };
  const std::optional<DType> type = tensor.type;
  if (type == DType::f8_e4m3) {
    convert.template operator()<float8_e4m3>();
  } else if (type == DType::f8_e5m2) {
    convert.template operator()<float8_e5m2>();
  } else if (type && is_float(*type)) {
    dispatch_float(*type, convert);
  } else {
    throw Error(file + ": " + tensor.name + " has type " + tensor.dtype +
                "; a LoRA holds floating-point tensors");
  }
  return out;
}

Table names_of(std::span<const std::string> module_paths, const UnetLayout& layout) {
  Table table;
  for (const std::string& path : module_paths) {
    table.emplace(path, path);
    // What PixArt's files call the denoiser.
    constexpr std::string_view kUnet = "unet.";
    if (path.starts_with(kUnet)) {
      table.emplace("transformer." + path.substr(kUnet.size()), path);
    }
    // Recent transformers leave this level out of a text encoder's paths.
    constexpr std::string_view kLevel = ".text_model.";
    if (const auto at = path.find(kLevel); at != std::string::npos) {
      table.emplace(path.substr(0, at) + "." + path.substr(at + kLevel.size()), path);
    }
  }
  if (!layout.layers.empty()) {
    table.merge(kohya_table(module_paths, layout, KohyaStyle::sdxl));
  }
  table.merge(kohya_table(module_paths, layout, KohyaStyle::sd15));
  return table;
}

/// Alpha from diffusers' adapter metadata: {"unet.r": 4, "unet.lora_alpha": 6, …}.
class PeftMetadata {
 public:
  explicit PeftMetadata(const std::map<std::string, std::string>& metadata) {
    if (const auto it = metadata.find("lora_adapter_metadata"); it != metadata.end()) {
      json_ = nlohmann::json::parse(it->second, nullptr, /*allow_exceptions=*/false);
    }
  }
  double alpha(const std::string& path, int rank) const {
    const std::string prefix = path.substr(0, path.find('.'));
    double value = rank;
    if (json_.is_object()) {
      value = number(prefix + ".lora_alpha", value);
      const auto pattern = json_.find(prefix + ".alpha_pattern");
      if (pattern != json_.end() && pattern->is_object()) {
        for (const auto& [name, entry] : pattern->items()) {
          if (path.ends_with("." + name) && entry.is_number()) {
            value = entry.get<double>();
          }
        }
      }
      const auto root = json_.find(prefix + ".use_rslora");
      if (root != json_.end() && root->is_boolean() && root->get<bool>()) {
        value *= std::sqrt(static_cast<double>(rank));
      }
    }
    return value;
  }

 private:
  double number(const std::string& key, double otherwise) const {
    const auto it = json_.find(key);
    return it != json_.end() && it->is_number() ? it->get<double>() : otherwise;
  }
  nlohmann::json json_;
};

struct Halves {
  const TensorInfo* down = nullptr;
  const TensorInfo* up = nullptr;
  const TensorInfo* alpha = nullptr;
  const TensorInfo* magnitude = nullptr;
};

/// The axis that the shape of a module's magnitudes tells, where it fits only one: dora_scale lies
/// as it broadcasts over the weight, PEFT's vector is [out] or [1, out, 1, 1]. Throws Error where
/// it fits neither.
std::optional<DoraAxis> axis_by_shape(const TensorInfo& tensor, std::int64_t out, std::int64_t in,
                                      const std::string& file) {
  const Shape shape = tensor.shape();
  const bool peft = tensor.name.find("lora_magnitude_vector") != std::string::npos;
  const std::int64_t first = shape.rank() > 0 ? shape[0] : 1;
  const std::int64_t second = shape.rank() > 1 ? shape[1] : 1;
  bool per_output, per_input;
  if (shape.rank() == 1) {
    per_output = first == out;
    per_input = first == in && !peft;
    // One dimension broadcasts over inputs but is meant for outputs: only PEFT's name settles it.
    if (!peft && (per_output || per_input)) {
      return std::nullopt;
    }
  } else {
    per_output =
        (first == out && second == 1) || (peft && shape.rank() == 4 && first == 1 && second == out);
    per_input = first == 1 && second == in;
  }
  if (shape.count() != first * second || (!per_output && !per_input)) {
    throw Error(file + ": " + tensor.name + " is " + shape.str() +
                ", which fits neither the outputs nor the inputs of a weight [" +
                std::to_string(out) + ", " + std::to_string(in) + ", …]");
  }
  if (per_output && per_input) {
    return std::nullopt;
  }
  return per_output ? DoraAxis::output : DoraAxis::input;
}

/// The axis that a file's metadata names: ours, or LyCORIS's.
std::optional<DoraAxis> axis_by_metadata(const std::map<std::string, std::string>& metadata) {
  if (const auto it = metadata.find("mantissa.dora_axis"); it != metadata.end()) {
    return it->second == "input" ? DoraAxis::input : DoraAxis::output;
  }
  if (const auto it = metadata.find("ss_network_args"); it != metadata.end()) {
    const auto args = nlohmann::json::parse(it->second, nullptr, /*allow_exceptions=*/false);
    if (args.is_object() && args.contains("wd_on_output")) {
      const std::string text = args["wd_on_output"].dump();
      return text.find("alse") != std::string::npos ? DoraAxis::input : DoraAxis::output;
    }
  }
  return std::nullopt;
}

/// Settles the axis of every DoRA module: by its own shape, else by the metadata, else as the
/// file's other modules have it.
void settle_axes(std::vector<LoraModule>& modules, const std::map<std::string, Halves>& found,
                 const std::map<std::string, std::string>& metadata, const std::string& file) {
  std::optional<DoraAxis> hint = axis_by_metadata(metadata);
  std::optional<DoraAxis> seen;
  bool mixed = false;
  std::vector<LoraModule*> open;
  for (LoraModule& module : modules) {
    const TensorInfo* tensor = found.at(module.path).magnitude;
    if (tensor == nullptr) {
      continue;
    }
    module.magnitude = floats_of(*tensor, file);
    module.dora_axis = axis_by_shape(*tensor, module.up_shape[0], module.down_shape[1], file);
    if (!module.dora_axis) {
      open.push_back(&module);
    } else {
      mixed = mixed || (seen && *seen != *module.dora_axis);
      seen = module.dora_axis;
    }
  }
  if (!hint && !mixed) {
    hint = seen;
  }
  for (LoraModule* module : open) {
    const TensorInfo& tensor = *found.at(module->path).magnitude;
    if (!hint) {
      throw Error(file + ": " + tensor.name + " is " + tensor.shape().str() +
                  ", which may be per output or per input, and nothing in the file tells. Which "
                  "program made it? Export it there as plain LoRA, or with a shape [out, 1] or "
                  "[1, in]");
    }
    const std::int64_t channels =
        *hint == DoraAxis::output ? module->up_shape[0] : module->down_shape[1];
    if (static_cast<std::int64_t>(module->magnitude.size()) != channels) {
      throw Error(file + ": " + tensor.name + " is " + tensor.shape().str() +
                  ", but the file says its magnitudes are per " +
                  (*hint == DoraAxis::output ? "output" : "input") + ", " +
                  std::to_string(channels) + " of them");
    }
    module->dora_axis = hint;
  }
}

LoraModule assemble(const std::string& path, const Halves& halves, const PeftMetadata& metadata,
                    const std::string& file) {
  if (halves.down == nullptr || halves.up == nullptr) {
    throw Error(file + ": " + path + " has no " + (halves.down == nullptr ? "down" : "up") +
                " matrix; the file is incomplete");
  }
  LoraModule module;
  module.path = path;
  module.down_shape = halves.down->shape();
  module.up_shape = halves.up->shape();
  const Shape &down = module.down_shape, &up = module.up_shape;
  if (down.rank() < 2 || up.rank() < 2 || down[0] != up[1] || down[0] < 1 || down[0] > 1 << 20 ||
      up.count() != up[0] * up[1]) {
    throw Error(file + ": " + path + " has down " + down.str() + " and up " + up.str() +
                "; expected [rank, in] and [out, rank]");
  }
  module.rank = static_cast<int>(down[0]);
  module.down = floats_of(*halves.down, file);
  module.up = floats_of(*halves.up, file);
  if (halves.alpha != nullptr) {
    if (halves.alpha->count() != 1) {
      throw Error(file + ": " + halves.alpha->name + " must be one number");
    }
    module.alpha = static_cast<double>(floats_of(*halves.alpha, file)[0]);
  } else {
    module.alpha = metadata.alpha(path, module.rank);
  }
  return module;
}

}  // namespace

std::vector<std::string> adaptable_modules(const WeightSource& base) {
  constexpr std::string_view kWeight = ".weight";
  std::vector<std::string> modules;
  for (ModelPart part : {ModelPart::unet, ModelPart::te1, ModelPart::te2}) {
    if (!base.has_part(part)) {
      continue;
    }
    for (const std::string& name : base.names(part)) {
      const bool table = name.find("embeddings.") != std::string::npos;
      if (!name.ends_with(kWeight) || table || base.shape(part, name).rank() < 2) {
        continue;
      }
      std::string path(part_folder(part));
      path.append(1, '.').append(name, 0, name.size() - kWeight.size());
      modules.push_back(std::move(path));
    }
  }
  return modules;
}

LoraFile read_lora(const std::filesystem::path& path, std::span<const std::string> module_paths,
                   const UnetLayout& layout) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  const std::string label = path_to_utf8(path);
  const Table table = names_of(module_paths, layout);
  std::map<std::string, Halves> found;
  for (const TensorInfo& tensor : file.tensors()) {
    for (std::string_view other : kOtherForms) {
      if (tensor.name.find(other) != std::string::npos) {
        throw Error(
            label + ": " + tensor.name +
            " belongs to another adapter form (LoHa, LoKr, Tucker …); only LoRA and DoRA can "
            "be read. Export it as plain LoRA where it was made");
      }
    }
    const Suffix* suffix = nullptr;
    for (const Suffix& s : kSuffixes) {
      if (tensor.name.ends_with(s.text)) {
        suffix = &s;
        break;
      }
    }
    const std::string module =
        suffix == nullptr ? tensor.name
                          : tensor.name.substr(0, tensor.name.size() - suffix->text.size());
    const auto it = table.find(module);
    if (suffix == nullptr || it == table.end()) {
      throw Error(label + ": " + tensor.name +
                  (suffix == nullptr ? " is no tensor of a LoRA"
                                     : " adapts a module that the base model lacks") +
                  ". Was the file made for another base model?");
    }
    Halves& halves = found[it->second];
    const TensorInfo*& slot = suffix->role == Role::down    ? halves.down
                              : suffix->role == Role::up    ? halves.up
                              : suffix->role == Role::alpha ? halves.alpha
                                                            : halves.magnitude;
    if (slot != nullptr) {
      throw Error(label + ": " + tensor.name + " and " + slot->name + " name the same tensor");
    }
    slot = &tensor;
  }
  if (found.empty()) {
    throw Error(label + ": the file holds no LoRA");
  }
  LoraFile result;
  result.metadata = file.metadata();
  const PeftMetadata metadata(file.metadata());
  for (const auto& [module, halves] : found) {
    result.modules.push_back(assemble(module, halves, metadata, label));
  }
  settle_axes(result.modules, found, result.metadata, label);
  return result;
}

}  // namespace mantissa
