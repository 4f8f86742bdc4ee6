#include "engine/adapters/adapter_file.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/adapter_origin.h"
#include "engine/io/file.h"
#include "engine/io/finite_weights.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

constexpr const char* kPeftWeights = "adapter_model.safetensors";
constexpr const char* kPeftConfig = "adapter_config.json";

/// Whether both are one tensor, under CLIPTextModel's names with and without the level text_model.
bool same_tensor(const TensorInfo& a, const TensorInfo& b) {
  const auto plain = [](std::string name) {
    constexpr std::string_view kLevel = "text_model.";
    const auto at = name.find(kLevel);
    return at == std::string::npos ? name : name.erase(at, kLevel.size());
  };
  return plain(a.name) == plain(b.name) && a.dtype == b.dtype && a.dims == b.dims &&
         a.bytes == b.bytes && std::memcmp(a.data, b.data, a.bytes) == 0;
}

constexpr std::string_view kPeftHead = "base_model.model.";

/// Why a tensor that adapts nothing here can't be read. `named`: its name is like an adapter's.
Message unknown_tensor(const std::string& file, const TensorInfo& tensor, bool named,
                       std::string_view folder, const WeightSource& base) {
  const auto weight = named ? std::nullopt : base.model_names()->canonical(std::nullopt, tensor);
  const auto is_there = [&](const std::string& name) { return base.contains(weight->part, name); };
  if (weight && (weight->names.empty() || std::ranges::any_of(weight->names, is_there))) {
    return message<
        "{file}: {tensor} is a weight of a whole model, not an adapter's. `mantissa extract` makes "
        "a LoRA of what a tuned model has that its base hasn't">(file, tensor.name);
  }
  if (!named) {
    return message<
        "{file}: {tensor} is no tensor of a LoRA, DoRA, LoHa, LoKr or whole difference, so what it "
        "does isn't known. Save the adapter without it where it was made">(file, tensor.name);
  }
  if (folder.empty() && tensor.name.starts_with(kPeftHead)) {
    return message<
        "{file}: {tensor} adapts a module that the denoiser lacks; a text encoder's PEFT adapter "
        "must lie in a folder text_encoder or text_encoder_2. Was the file made for another base "
        "model?">(file, tensor.name);
  }
  return message<
      "{file}: {tensor} adapts a module that the base model lacks. Was the file made for another "
      "base model?">(file, tensor.name);
}

/// A form whose tensors are told by their names, before any of them is looked up.
void refuse_other_forms(const SafetensorsFile& file) {
  for (const TensorInfo& tensor : file.tensors()) {
    const std::string_view form = adapter_name(tensor.name) ? "" : unread_form(tensor.name);
    if (!form.empty()) {
      throw Error(
          message<"{file}: {tensor} belongs to an adapter of the form {form}, which isn't read "
                  "(LoRA, DoRA, LoCon, LoHa, LoKr and whole differences are). Merge it into its "
                  "base model where it was made; `mantissa extract` makes a LoRA of the result">(
              file.label(), tensor.name, form));
    }
  }
}

/// PEFT's modules_to_save and trained biases: a weight of the base model's own, by its path.
std::optional<std::string> whole_weight(const std::string& tensor, std::string_view folder,
                                        const WeightSource& base) {
  constexpr std::string_view kBaseLayer = ".base_layer.";
  if (!tensor.starts_with(kPeftHead)) {
    return std::nullopt;
  }
  std::string name = tensor.substr(kPeftHead.size());
  if (const auto at = name.find(kBaseLayer); at != std::string::npos) {
    name.replace(at, kBaseLayer.size(), ".");
  }
  const auto part = folder.empty() ? std::optional(kDenoiser) : part_of_folder(folder);
  for (const char* level : {"", "text_model.", "model."}) {  // some classes leave it out
    if (part && base.contains(*part, level + name)) {
      return module_path(*part, level + name);
    }
  }
  return std::nullopt;
}

/// What a PEFT adapter is called in its state dict: one of them is read.
class OneAdapter {
 public:
  void note(std::string_view name, const TensorInfo& tensor, const std::string& file) {
    if (name.empty()) {
      return;
    }
    if (!name_.empty() && name_ != name) {
      throw Error(
          message<"{file}: {tensor} is of the adapter {name}, other tensors are of {other}. "
                  "Save one of them alone where the file was made">(file, tensor.name, name,
                                                                    name_));
    }
    name_ = name;
  }

 private:
  std::string name_;
};

void add_module(AdapterFile& result, const AdapterName& named, const NamedModule& module,
                const TensorInfo& tensor, const std::string& file) {
  ModuleTensors& entry = result.modules[module.path];
  if (entry.name.empty()) {
    entry.name = named.module;
    entry.slices = module.slices;
    entry.swapped = module.swapped;
  }
  if (entry.swapped != module.swapped) {
    throw Error(message<"{file}: {tensor} and {other} adapt the same layer under two names. Remove "
                        "one of them where the file was made">(file, tensor.name, entry.name));
  }
  const auto add = [&](auto& tensors, auto role) {
    const auto [at, added] = tensors.emplace(role, &tensor);
    if (!added && !same_tensor(tensor, *at->second)) {
      throw Error(message<"{file}: {tensor} and {other} name the same tensor">(file, tensor.name,
                                                                               at->second->name));
    }
  };
  if (named.beside != BesideRole::none) {
    add(entry.beside, named.beside);
  } else {
    add(entry.by_role, named.role);
  }
}

/// The alpha of a LoKr whose matrices are both whole, for which programs write their rank: one like
/// 9999999999 is infinite in FP16. It counts nowhere.
bool is_unused_alpha(const SafetensorsFile& file, const TensorInfo& tensor) {
  constexpr std::string_view kAlpha = ".alpha";
  if (!tensor.name.ends_with(kAlpha)) {
    return false;
  }
  const std::string module = tensor.name.substr(0, tensor.name.size() - kAlpha.size());
  return file.find(module + ".lokr_w1") != nullptr && file.find(module + ".lokr_w2") != nullptr;
}

void add_tensors(AdapterFile& result, const SafetensorsFile& file, const ModuleTable& table,
                 std::string_view folder, const WeightSource& base) {
  refuse_other_forms(file);
  bool denoiser = false;
  std::int64_t left_out = 0;
  OneAdapter adapter;
  for (const TensorInfo& tensor : file.tensors()) {
    if (is_unused_alpha(file, tensor) && !is_finite(tensor)) {
      ++left_out;
      continue;
    }
    require_finite(tensor, file.label());
    const auto named = adapter_name(tensor.name);
    const NamedModule* module = named ? table.find(named->module, folder) : nullptr;
    if (module != nullptr) {
      adapter.note(named->adapter, tensor, file.label());
      add_module(result, *named, *module, tensor, file.label());
      const bool here = split_path(module->path).part == kDenoiser;
      if (here || !denoiser) {
        result.dialect = named->module.starts_with("base_model.") ? &kPeftDialect : module->dialect;
        denoiser = denoiser || here;
      }
      // One name that is never written makes the file one of such names.
      if (named->beside == BesideRole::none && named->role != AdapterRole::alpha &&
          result.tensors != TensorNames::old) {
        result.tensors = named->names;
      }
    } else if (const auto whole = whole_weight(tensor.name, folder, base)) {
      result.whole[*whole] = &tensor;
    } else if (is_embedding(tensor.name)) {
      result.embeddings.push_back(&tensor);
    } else {
      throw Error(unknown_tensor(file.label(), tensor, named.has_value(), folder, base));
    }
  }
  if (left_out > 0) {
    result.notices.push_back(
        message<
            "{file}: NaN or infinite alphas of LoKr layers ({count}) are left out. They have no "
            "effect, because both factors of these layers are stored in full">(file.label(),
                                                                               left_out));
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

/// The usual name of a PEFT folder's part; empty if its name tells none.
std::string usual_folder(const fs::path& folder) {
  const auto part = part_of_folder(path_to_utf8(folder.filename()));
  return part && part != kVae ? part_folder(*part) : "";
}

/// A part's adapter_config.json in diffusers' file metadata form, in its own order.
void add_config(nlohmann::ordered_json& all, const std::string& part, const fs::path& folder) {
  const fs::path file = folder / kPeftConfig;
  if (!fs::exists(file)) {
    return;
  }
  const std::string text = read_text(file);
  parse_json(text, "'" + path_to_utf8(file) + "'");  // refuses what isn't allowed
  const auto config = nlohmann::ordered_json::parse(text);
  for (const auto& [key, value] : config.items()) {
    all[(part.empty() ? part_folder(kDenoiser) : part) + "." + key] = value;
  }
}

/// Whether modules of `file` have no alpha beside their tensors.
bool lacks_alphas(const AdapterFile& file) {
  return std::ranges::any_of(file.modules, [](const auto& entry) {
    const ModuleTensors& m = entry.second;
    return !m.by_role.empty() && !m.has(AdapterRole::alpha) && !m.has(AdapterRole::diff);
  });
}

/// PEFT's tensors in `folder` without the config that holds their alphas.
void note_missing_config(AdapterFile& file, const fs::path& folder) {
  if (lacks_alphas(file)) {
    file.notices.push_back(
        message<"{config} is missing, which holds PEFT's alpha: it is taken to be the rank, so the "
                "adapter may act more or less than it was trained to. Put PEFT's file beside the "
                "weights">(path_to_utf8(folder / kPeftConfig)));
  }
}

/// Throws Error for a part that is DoRA by its config, but has no magnitudes.
void require_magnitudes(const AdapterFile& file) {
  std::map<Part, bool> found;
  for (const auto& [path, tensors] : file.modules) {
    bool& any = found[split_path(path).part];
    any = any || tensors.has(AdapterRole::magnitude);
  }
  for (const auto& [part, any] : found) {
    if (!any && file.peft.uses_dora(part)) {
      throw Error(
          message<"{file}: {field} is true, but none of the tensors are magnitudes "
                  "(lora_magnitude_vector). The file is incomplete: save it again where it was "
                  "trained, or set use_dora to false if it is a plain LoRA">(
              file.label, part_folder(part) + ".use_dora"));
    }
  }
}

/// Throws Error for an adapter of another family, whose layers only have the names of the base
/// model's.
void refuse_other_family(const std::string& label, const SafetensorsFile& file,
                         const WeightSource& base) {
  const auto origin = adapter_origin(file.tensors(), file.metadata());
  if (origin && origin->family != &base.family()) {
    throw Error(message<"{file} was made for {model}: {evidence}. Give an adapter for {family}">(
        label, origin->family->title(), origin->evidence, base.family().title()));
  }
}

AdapterFile open_folders(const fs::path& path, const std::vector<fs::path>& folders,
                         const ModuleTable& table, const WeightSource& base) {
  AdapterFile result;
  result.label = path_to_utf8(path);
  result.files.reserve(folders.size());  // tensors point into them
  nlohmann::ordered_json metadata = nlohmann::ordered_json::object();
  for (const fs::path& folder : folders) {
    add_config(metadata, usual_folder(folder), folder);
  }
  // Before any tensor: a config names a form that its tensors' names may not tell.
  result.peft = PeftConfig(
      metadata, folders.size() == 1 ? path_to_utf8(folders.front() / kPeftConfig) : result.label);
  result.metadata["lora_adapter_metadata"] = metadata.dump();
  for (const fs::path& folder : folders) {
    result.files.push_back(SafetensorsFile::open(folder / kPeftWeights));
    refuse_other_family(result.label, result.files.back(), base);
    add_tensors(result, result.files.back(), table, usual_folder(folder), base);
  }
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder / kPeftConfig)) {
      note_missing_config(result, folder);
    }
  }
  require_magnitudes(result);
  return result;
}

AdapterFile open_folder(const fs::path& path, const ModuleTable& table, const WeightSource& base) {
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
            path_to_utf8(path), kPeftWeights));
  }
  return open_folders(path, folders, table, base);
}

AdapterFile open_file(const fs::path& path, const ModuleTable& table, const WeightSource& base) {
  if (path.filename() == kPeftWeights && fs::exists(path.parent_path() / kPeftConfig)) {
    AdapterFile result = open_folders(path, {path.parent_path()}, table, base);
    result.label = path_to_utf8(path);
    return result;
  }
  AdapterFile result;
  result.label = path_to_utf8(path);
  result.files.push_back(SafetensorsFile::open(path));
  refuse_other_family(result.label, result.files.front(), base);
  result.metadata = result.files.front().metadata();
  result.peft = PeftConfig::of_metadata(result.metadata, result.label);
  add_tensors(result, result.files.front(), table, {}, base);
  if (result.peft.empty() && result.dialect == &kPeftDialect) {
    note_missing_config(result, path.parent_path());
  }
  return result;
}

/// Linear and Conv2d, and beside them what else has a weight or a bias: norms.
std::vector<std::string> named_modules(const WeightSource& base) {
  std::vector<std::string> modules = adaptable_modules(base);
  std::set<std::string> known(modules.begin(), modules.end());
  for (const PartFiles& files : base.family().parts) {
    if (files.part == kVae || !base.has_part(files.part)) {
      continue;
    }
    for (const std::string& name : base.names(files.part)) {
      const std::size_t dot = name.rfind('.');
      if (dot == std::string::npos) {
        continue;
      }
      std::string path = module_path(files.part, name.substr(0, dot));
      if (known.insert(path).second) {
        modules.push_back(std::move(path));
      }
    }
  }
  return modules;
}

}  // namespace

std::vector<std::pair<std::string, fs::path>> files_of_adapter(const fs::path& adapter) {
  std::error_code none;
  std::vector<std::pair<std::string, fs::path>> files;
  if (!fs::is_directory(adapter, none)) {
    files.emplace_back("", adapter);
    const fs::path config = adapter.parent_path() / kPeftConfig;
    if (adapter.filename() == kPeftWeights && fs::is_regular_file(config, none)) {
      files.emplace_back(kPeftConfig, config);
    }
    return files;
  }
  std::vector<std::string> folders{""};
  for (const std::string_view part : part_folders()) {
    folders.push_back(std::string(part) + "/");
  }
  for (const std::string& folder : folders) {
    for (const std::string& name : {folder + kPeftWeights, folder + kPeftConfig}) {
      if (const fs::path file = adapter / name; fs::is_regular_file(file, none)) {
        files.emplace_back(name, file);
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

AdapterFile AdapterFile::open(const fs::path& path, const WeightSource& base) {
  const ModuleTable table(named_modules(base), *base.model_names());
  AdapterFile result =
      fs::is_directory(path) ? open_folder(path, table, base) : open_file(path, table, base);
  if (result.modules.empty() && result.whole.empty()) {
    if (!result.embeddings.empty()) {
      throw Error(
          message<"{file} holds only an embedding (textual inversion), {tensor}; embeddings "
                  "aren't read, give an adapter">(result.label, result.embeddings.front()->name));
    }
    throw Error(message<"{file}: the file holds no LoRA">(result.label));
  }
  refuse_doubled_slices(result);
  return result;
}

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
      modules.push_back(
          module_path(part, std::string_view(name).substr(0, name.size() - kWeight.size())));
    }
  }
  return modules;
}

}  // namespace mantissa
