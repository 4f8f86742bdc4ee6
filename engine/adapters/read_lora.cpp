#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/export.h"
#include "engine/adapters/fused_module.h"
#include "engine/core/error.h"
#include "engine/io/part_names.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Alpha from diffusers' adapter metadata: {"unet.r": 4, "unet.lora_alpha": 6, …}.
class PeftMetadata {
 public:
  explicit PeftMetadata(const std::map<std::string, std::string>& metadata) {
    if (const auto it = metadata.find("lora_adapter_metadata"); it != metadata.end()) {
      json_ = nlohmann::json::parse(it->second, nullptr, /*allow_exceptions=*/false);
    }
  }
  /// Below 0 if the file has no such metadata.
  double alpha(const std::string& path, int rank) const {
    if (!json_.is_object() || json_.empty()) {
      return -1;
    }
    const std::string prefix = path.substr(0, path.find('.'));
    double value = rank;
    if (json_.is_object()) {
      // LoHaConfig and LoKrConfig say alpha.
      value = number(prefix + ".lora_alpha", number(prefix + ".alpha", value));
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

/// The axis from the shape of a module's magnitudes, if unambiguous: dora_scale is shaped to
/// broadcast over the weight, PEFT's vector is [out] or [1, out, 1, 1]. Throws Error if it fits
/// neither.
std::optional<DoraAxis> axis_by_shape(const TensorInfo& tensor, const LoraModule& module,
                                      const std::string& file) {
  const Shape shape = tensor.shape();
  const std::int64_t out = module.up_shape[0], in = module.down_shape[1];
  // A LoHa's or LoKr's flat factors don't tell a convolution's inputs from its kernel.
  const bool flat = shape.rank() == 4 && module.down_shape.rank() == 2;
  const bool peft = tensor.name.find("lora_magnitude_vector") != std::string::npos;
  const std::int64_t first = shape.rank() > 0 ? shape[0] : 1;
  const std::int64_t second = shape.rank() > 1 ? shape[1] : 1;
  bool per_output, per_input;
  if (shape.rank() == 1) {
    per_output = first == out;
    per_input = first == in && !peft;
    // One dimension broadcasts over inputs but is meant for outputs: only PEFT's name resolves it.
    if (!peft && (per_output || per_input)) {
      return std::nullopt;
    }
  } else {
    per_output =
        (first == out && second == 1) || (peft && shape.rank() == 4 && first == 1 && second == out);
    per_input = first == 1 && (second == in || (flat && second > 0 && in % second == 0));
  }
  if (shape.count() != first * second || (!per_output && !per_input)) {
    throw Error(
        message<"{file}: {tensor} is {shape}, which fits neither the outputs nor the inputs of a "
                "weight [{outputs}, {inputs}, …]">(file, tensor.name, shape.str(), out, in));
  }
  if (per_output && per_input) {
    return std::nullopt;
  }
  return per_output ? DoraAxis::output : DoraAxis::input;
}

/// The axis from a file's metadata: ours, or LyCORIS's.
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

/// Determines the axis of every DoRA module: by its own shape, else by the metadata, else as in the
/// file's other modules.
void settle_axes(std::vector<LoraModule>& modules, const AdapterFile& found,
                 std::optional<DoraAxis> answer) {
  const std::string& file = found.label;
  std::optional<DoraAxis> hint = answer ? answer : axis_by_metadata(found.metadata);
  std::optional<DoraAxis> seen;
  bool mixed = false;
  std::vector<LoraModule*> open;
  for (LoraModule& module : modules) {
    const TensorInfo* tensor = found.modules.at(module.path).find(AdapterRole::magnitude);
    if (tensor == nullptr) {
      continue;
    }
    module.magnitude = tensor_floats(*tensor, file);
    module.dora_axis = axis_by_shape(*tensor, module, file);
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
    const TensorInfo& tensor = *found.modules.at(module->path).find(AdapterRole::magnitude);
    if (!hint) {
      throw Error(
          message<"{file}: {tensor} is {shape}, which may be per output or per input, and nothing "
                  "in the file tells. Which program made it? Answer with --dora-axis output (PEFT, "
                  "LyCORIS) or --dora-axis input (OneTrainer's default)">(file, tensor.name,
                                                                          tensor.shape().str()));
    }
    const std::int64_t channels =
        *hint == DoraAxis::output ? module->up_shape[0] : module->down_shape[1];
    if (static_cast<std::int64_t>(module->magnitude.size()) != channels) {
      throw Error(message<"{file}: {tensor} is {shape}, but the file says its magnitudes are per "
                          "{axis}, {count} of them">(file, tensor.name, tensor.shape().str(),
                                                     enum_name(*hint), channels));
    }
    module->dora_axis = hint;
  }
}

/// The modules of the base model by path: the slices of fused ones instead of these.
std::vector<LoraModule> without_fused(std::vector<LoraModule> modules, const AdapterFile& file) {
  std::vector<LoraModule> list;
  for (LoraModule& module : modules) {
    const std::vector<std::string>& slices = file.modules.at(module.path).slices;
    if (slices.empty()) {
      list.push_back(std::move(module));
      continue;
    }
    for (LoraModule& slice : split_outputs(module, slices, file.label)) {
      list.push_back(std::move(slice));
    }
  }
  std::sort(list.begin(), list.end(),
            [](const LoraModule& a, const LoraModule& b) { return a.path < b.path; });
  return list;
}

}  // namespace

std::vector<std::string> adaptable_modules(const WeightSource& base) {
  constexpr std::string_view kWeight = ".weight";
  std::vector<std::string> modules;
  for (const PartFiles& files : base.family().parts) {
    const Part part = files.part;
    if (part == kVae || !base.has_part(part)) {
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

LoraFile lora_modules(const AdapterFile& file, std::optional<DoraAxis> axis) {
  LoraFile result;
  result.metadata = file.metadata;
  const PeftMetadata metadata(file.metadata);
  for (const auto& [path, tensors] : file.modules) {
    int rank = 1;
    for (const AdapterRole role :
         {AdapterRole::down, AdapterRole::hada_w1_b, AdapterRole::lokr_w2_b}) {
      const TensorInfo* tensor = tensors.find(role);
      rank = tensor != nullptr && !tensor->dims.empty() ? static_cast<int>(tensor->dims[0]) : rank;
    }
    result.modules.push_back(lora_module(path, tensors, metadata.alpha(path, rank), file.label));
  }
  settle_axes(result.modules, file, axis);
  result.modules = without_fused(std::move(result.modules), file);
  return result;
}

LoraFile read_lora(const std::filesystem::path& path, std::span<const std::string> module_paths,
                   const ModelNames& base, std::optional<DoraAxis> axis) {
  return lora_modules(AdapterFile::open(path, ModuleTable(module_paths, base)), axis);
}

}  // namespace mantissa
