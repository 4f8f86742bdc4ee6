#include "engine/adapters/adapter_file.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/json_file.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

constexpr const char* kPeftWeights = "adapter_model.safetensors";
constexpr const char* kPeftConfig = "adapter_config.json";

/// Suffixes of adapters that change something other than a weight: ignoring them would give wrong
/// images.
constexpr std::string_view kOtherForms[] = {"oft_",   "boft_",  "diff_b",  "bundle_emb",
                                            "w_norm", "b_norm", ".scalar", "lokr_t1"};

/// The same tensor under CLIPTextModel's names with and without the level text_model.
bool same_tensor(const TensorInfo& a, const TensorInfo& b) {
  const auto plain = [](std::string name) {
    constexpr std::string_view kLevel = "text_model.";
    const auto at = name.find(kLevel);
    return at == std::string::npos ? name : name.erase(at, kLevel.size());
  };
  return plain(a.name) == plain(b.name) && a.dtype == b.dtype && a.dims == b.dims &&
         a.bytes == b.bytes && std::memcmp(a.data, b.data, a.bytes) == 0;
}

/// `named`: its name is like an adapter's.
Message unknown_tensor(const std::string& file, const std::string& tensor, bool named,
                       std::string_view folder) {
  if (!named) {
    return message<
        "{file}: {tensor} is no tensor of a LoRA. Was the file made for another base model?">(
        file, tensor);
  }
  if (folder.empty() && tensor.starts_with("base_model.model.")) {
    return message<
        "{file}: {tensor} adapts a module that the denoiser lacks; a text encoder's PEFT adapter "
        "must lie in a folder text_encoder or text_encoder_2. Was the file made for another base "
        "model?">(file, tensor);
  }
  return message<
      "{file}: {tensor} adapts a module that the base model lacks. Was the file made for another "
      "base model?">(file, tensor);
}

void add_tensors(AdapterFile& result, const SafetensorsFile& file, const ModuleTable& table,
                 std::string_view folder) {
  bool denoiser = false;
  for (const TensorInfo& tensor : file.tensors()) {
    for (std::string_view other : kOtherForms) {
      if (tensor.name.find(other) != std::string::npos) {
        throw Error(message<"{file}: {tensor} belongs to a form of adapter that isn't read (LoRA, "
                            "DoRA, LoCon, LoHa, LoKr are). Export it as LoRA where it was made">(
            file.label(), tensor.name));
      }
    }
    const auto split = split_suffix(tensor.name);
    const NamedModule* module = split ? table.find(split->module, folder) : nullptr;
    if (module == nullptr) {
      throw Error(unknown_tensor(file.label(), tensor.name, split.has_value(), folder));
    }
    ModuleTensors& entry = result.modules[module->path];
    if (entry.by_role.empty()) {
      entry.name = split->module;
      entry.slices = module->slices;
    }
    const auto [at, added] = entry.by_role.emplace(split->role, &tensor);
    if (!added && same_tensor(tensor, *at->second)) {
      continue;
    }
    if (!added) {
      throw Error(message<"{file}: {tensor} and {other} name the same tensor">(
          file.label(), tensor.name, at->second->name));
    }
    const bool here = module->path.starts_with("unet.");
    if (here || !denoiser) {
      result.dialect = split->module.starts_with("base_model.") ? &kPeftDialect : module->dialect;
      denoiser = denoiser || here;
    }
    if (split->role != AdapterRole::alpha) {
      result.tensors = split->names;
    }
  }
}

/// Some converters leave both: which of them counts is anyone's guess.
void refuse_doubled_slices(const AdapterFile& file) {
  for (const auto& [path, fused] : file.modules) {
    for (const std::string& slice : fused.slices) {
      if (const auto other = file.modules.find(slice); other != file.modules.end()) {
        throw Error(message<"{file}: {module} and {other} adapt the same weight, once fused and "
                            "once alone. Remove one of them where the file was made">(
            file.label, fused.name, other->second.name));
      }
    }
  }
}

/// The part of a PEFT folder by its name, as prefix of adapter paths; empty if unknown.
std::string path_head(const fs::path& folder) {
  const auto part = part_of_folder(path_to_utf8(folder.filename()));
  return part && part != kVae ? part_folder(*part) : "";
}

/// A part's adapter_config.json in diffusers' file metadata form.
void add_config(nlohmann::json& all, const std::string& part, const fs::path& folder) {
  if (!fs::exists(folder / kPeftConfig)) {
    return;
  }
  const nlohmann::json config = read_json(folder / kPeftConfig);
  for (const auto& [key, value] : config.items()) {
    all[(part.empty() ? "unet" : part) + "." + key] = value;
  }
}

AdapterFile open_folder(const fs::path& path, const ModuleTable& table) {
  AdapterFile result;
  result.label = path_to_utf8(path);
  std::vector<fs::path> folders;
  if (fs::exists(path / kPeftWeights)) {
    folders.push_back(path);
  }
  for (const std::string_view part : part_folders()) {
    if (part_of_folder(part) != kVae && fs::exists(path / part / kPeftWeights)) {
      folders.push_back(path / part);
    }
  }
  if (folders.empty()) {
    throw Error(
        message<"{path}: the folder holds no {file}, neither itself nor in unet, text_encoder or "
                "text_encoder_2; give one .safetensors adapter, or a folder that PEFT wrote">(
            result.label, kPeftWeights));
  }
  result.files.reserve(folders.size());  // tensors point into them
  nlohmann::json metadata = nlohmann::json::object();
  for (const fs::path& folder : folders) {
    const std::string part = path_head(folder);
    result.files.push_back(SafetensorsFile::open(folder / kPeftWeights));
    add_tensors(result, result.files.back(), table, part);
    add_config(metadata, part, folder);
  }
  result.metadata["lora_adapter_metadata"] = metadata.dump();
  return result;
}

}  // namespace

AdapterFile AdapterFile::open(const fs::path& path, const ModuleTable& table) {
  AdapterFile result;
  if (fs::is_directory(path)) {
    result = open_folder(path, table);
  } else {
    result.label = path_to_utf8(path);
    result.files.push_back(SafetensorsFile::open(path));
    result.metadata = result.files.front().metadata();
    add_tensors(result, result.files.front(), table, {});
  }
  if (result.modules.empty()) {
    throw Error(message<"{file}: the file holds no LoRA">(result.label));
  }
  refuse_doubled_slices(result);
  return result;
}

}  // namespace mantissa
