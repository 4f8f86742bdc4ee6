#include "engine/io/inspect.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <set>

#include "engine/core/error.h"
#include "engine/io/adapter_origin.h"
#include "engine/io/base_files.h"
#include "engine/io/bundled_name.h"
#include "engine/io/part_names.h"
#include "engine/io/tensor_file.h"
#include "engine/io/weight_convert.h"
#include "engine/io/weights.h"
#include "engine/preset/names.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kUnknown = "unknown";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// An adapter tensor's kind, and the module it adapts.
struct AdapterTensor {
  enum class Role { none, down, alpha, dora, other } role = Role::none;
  std::string_view module;
};

AdapterTensor adapter_tensor(std::string_view name) {
  using Role = AdapterTensor::Role;
  static constexpr std::array<std::pair<std::string_view, Role>, 31> kEndings{
      {{".lora_down.weight", Role::down},
       {".lora_up.weight", Role::other},
       {".lora_mid.weight", Role::other},
       {".lora_A.weight", Role::down},
       {".lora_B.weight", Role::other},
       {".lora.down.weight", Role::down},
       {".lora.up.weight", Role::other},
       {"_lora.down.weight", Role::down},
       {"_lora.up.weight", Role::other},
       {".hada_w1_b", Role::down},
       {".hada_w1_a", Role::other},
       {".hada_w2_a", Role::other},
       {".hada_w2_b", Role::other},
       {".hada_t1", Role::other},
       {".hada_t2", Role::other},
       {".lokr_w2_b", Role::down},
       {".lokr_w1", Role::other},
       {".lokr_w1_a", Role::other},
       {".lokr_w1_b", Role::other},
       {".lokr_w2", Role::other},
       {".lokr_w2_a", Role::other},
       {".lokr_t2", Role::other},
       {".diff", Role::other},
       {".diff_b", Role::other},
       {".w_norm", Role::other},
       {".b_norm", Role::other},
       {".alpha", Role::alpha},
       {".dora_scale", Role::dora},
       {".magnitude", Role::dora},
       {".lora_magnitude_vector", Role::dora},
       {".lora_magnitude_vector.weight", Role::dora}}};
  for (const auto& [ending, role] : kEndings) {
    if (name.ends_with(ending)) {
      return {role, name.substr(0, name.size() - ending.size())};
    }
  }
  return {};
}

/// The part with the longest of its prefixes that `name` starts with, of any family; empty if none
/// does.
std::optional<Part> part_by_prefix(std::string_view name,
                                   std::initializer_list<std::string_view PartFiles::*> prefixes) {
  std::optional<Part> found;
  std::size_t longest = 0;
  for (const Family* family : families()) {
    for (const PartFiles& part : family->parts) {
      std::vector<std::string_view> heads{part.other_encoder.comfyui};  // in whole models, too
      for (const auto prefix : prefixes) {
        heads.push_back(part.*prefix);
      }
      for (const std::string_view head : heads) {
        if (head.size() > longest && name.starts_with(head)) {
          longest = head.size();
          found = part.part;
        }
      }
    }
  }
  return found;
}

/// "LoRA", "LoHa" or "LoKr", by one tensor's name; empty if undetermined, as of whole differences,
/// which any of them may have beside it.
std::string_view adapter_form(std::string_view name) {
  for (const std::string_view ending : {".diff", ".diff_b", ".w_norm", ".b_norm"}) {
    if (name.ends_with(ending)) {
      return "";
    }
  }
  return has(name, ".hada_")   ? "LoHa"
         : has(name, ".lokr_") ? "LoKr"
         : has(name, "lora")   ? "LoRA"
                               : "";
}

std::string checkpoint_part(std::string_view name) {
  const auto part = part_by_prefix(name, {&PartFiles::prefix});
  return part ? part_name(*part) : "other";
}

/// alpha, which some trainers save as a whole number.
double scalar_value(const TensorInfo& tensor) {
  const bool whole = tensor.type == DType::i64 || tensor.type == DType::i32;
  if (!tensor.type || (!is_float(*tensor.type) && !whole) || tensor.count() != 1) {
    throw Error(message<"tensor '{tensor}' must be one number (alpha)">(tensor.name));
  }
  if (tensor.type == DType::i64) {
    std::int64_t number = 0;
    std::memcpy(&number, tensor.data, sizeof number);
    return static_cast<double>(number);
  }
  if (tensor.type == DType::i32) {
    std::int32_t number = 0;
    std::memcpy(&number, tensor.data, sizeof number);
    return number;
  }
  double value = 0;
  convert_weight({*tensor.type, Shape{}, tensor.data, false}, DType::f64, &value,
                 message<"tensor '{tensor}'">(tensor.name));
  return value;
}

void count_file(const TensorFile& file, ModelSummary& summary) {
  for (const TensorInfo& tensor : file.tensors()) {
    ++summary.dtypes[tensor.dtype];
    ++summary.tensors;
    summary.parameters += tensor.count();
    summary.bytes += tensor.bytes;
  }
}

/// The family determined by one adapter tensor; empty if undetermined.
std::optional<ModelFamily> family_of_tensor(const TensorInfo& tensor, const AdapterTensor& part) {
  const bool reads_text = part.role == AdapterTensor::Role::down && tensor.dims.size() > 1 &&
                          has(part.module, "attn2") && has(part.module, "to_k");
  std::optional<ModelFamily> found;
  for (const Family* family : families()) {
    const AdapterMarks& marks = family->marks;
    if (reads_text && marks.context_width != 0 && tensor.dims[1] == marks.context_width) {
      found = family->id();
    }
    for (const std::string_view head : marks.heads) {
      if (tensor.name.starts_with(head)) {
        return family->id();
      }
    }
  }
  return found;
}

/// Whether the metadata of an adapter name this family, or a generation of it.
bool names_family(std::string_view named, const Family& family) {
  const std::string_view word = family.marks.architecture;
  return (!word.empty() && has(named, word)) ||
         std::ranges::any_of(family.row.generations, [&](const FamilyGeneration& generation) {
           return has(named, generation.kohya_version) || has(named, generation.architecture) ||
                  has(named, generation.v_architecture);
         });
}

/// [count, width], or the width of one.
std::int64_t vectors_in(const TensorInfo& tensor) {
  return tensor.dims.size() == 2 ? tensor.dims[0] : 1;
}

void describe_adapter(const TensorFile& file, ModelSummary& summary) {
  summary.kind = ModelSummary::Kind::adapter;
  std::set<std::string_view> modules;
  bool kohya = false;
  for (const TensorInfo& tensor : file.tensors()) {
    if (const auto bundled = bundled_name(tensor.name)) {
      summary.words[std::string(bundled->word)] = vectors_in(tensor);
      continue;
    }
    const AdapterTensor part = adapter_tensor(tensor.name);
    kohya |= tensor.name.starts_with("lora_");
    ++summary.parts[part_name(part_of_adapter_tensor(tensor.name))];
    if (part.role != AdapterTensor::Role::none) {
      modules.insert(part.module);
    }
    if (part.role == AdapterTensor::Role::down && !tensor.dims.empty()) {
      ++summary.ranks[tensor.dims[0]];
    } else if (part.role == AdapterTensor::Role::alpha) {
      ++summary.alphas[scalar_value(tensor)];
    } else if (part.role == AdapterTensor::Role::dora) {
      summary.dora = true;
    }
    if (const auto family = family_of_tensor(tensor, part)) {
      summary.family = family->name();
    }
  }
  if (const auto origin = adapter_origin(file.tensors(), file.metadata())) {
    summary.family = origin->family->id().name();
  }
  summary.layout = kohya ? "kohya" : "peft";
  for (const TensorInfo& tensor : file.tensors()) {
    // Other forms take precedence over LoRA: kohya's prefix is in every name.
    if (const std::string_view form = adapter_form(tensor.name);
        summary.form.empty() || (!form.empty() && form != "LoRA")) {
      summary.form = form;
    }
  }
  if (summary.form.empty()) {
    summary.form = "whole differences";
  }
  summary.modules = static_cast<std::int64_t>(modules.size());
  for (const char* key : {"modelspec.architecture", "ss_base_model_version"}) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end()) {
      continue;
    }
    for (const Family* family : families()) {
      if (summary.family == kUnknown && names_family(found->second, *family)) {
        summary.family = family->id().name();
      }
    }
  }
}

/// A file with the vectors of a word for every text encoder of a family, and nothing else. Where
/// several have such names, the family is the one that the metadata tell, if they do.
bool describe_embedding(const TensorFile& file, ModelSummary& summary) {
  std::vector<const Family*> fitting;
  for (const Family* family : families()) {
    std::int64_t known = 0;
    std::map<std::string, std::int64_t> parts;
    for (const TensorInfo& tensor : file.tensors()) {
      const auto part = std::ranges::find_if(family->parts, [&](const PartFiles& p) {
        return !p.embedding.empty() &&
               (tensor.name == p.embedding || tensor.name == p.embedding_too);
      });
      if (part != family->parts.end()) {
        ++known;
        ++parts[part_name(part->part)];
      }
    }
    if (known > 0 && known == std::ssize(file.tensors())) {
      fitting.push_back(family);
      summary.parts = std::move(parts);
    }
  }
  if (fitting.empty()) {
    return false;
  }
  const auto told = file.metadata().find("modelspec.architecture");
  const auto is_told = [&](std::string_view architecture) {
    return told != file.metadata().end() && !architecture.empty() &&
           told->second.starts_with(std::string(architecture) + "/");
  };
  std::erase_if(fitting, [&](const Family* family) {
    const bool of_generation =
        std::ranges::any_of(family->row.generations, [&](const FamilyGeneration& generation) {
          return is_told(generation.architecture) || is_told(generation.v_architecture);
        });
    return fitting.size() > 1 && !is_told(family->architecture) && !of_generation;
  });
  summary.kind = ModelSummary::Kind::embedding;
  summary.family = fitting.size() == 1 ? fitting.front()->id().name() : kUnknown;
  summary.vectors = vectors_in(file.tensors().front());
  return true;
}

void describe_checkpoint(const TensorFile& file, ModelSummary& summary) {
  for (const TensorInfo& tensor : file.tensors()) {
    ++summary.parts[checkpoint_part(tensor.name)];
  }
  for (const Family* family : families()) {
    const std::string_view naming = family->naming(file.tensors());
    if (naming.empty()) {
      continue;
    }
    summary.kind = ModelSummary::Kind::checkpoint;
    summary.layout = naming;
    summary.family = family->id().name();
    if (!summary.parts.contains(part_name(kDenoiser))) {  // a denoiser on its own, without a prefix
      summary.parts = {{std::string(family->part(kDenoiser)->folder), summary.tensors}};
    }
    return;
  }
}

void describe_folder(const fs::path& folder, ModelSummary& summary) {
  std::vector<fs::path> paths;
  for (const std::string_view name : part_folders()) {
    if (!fs::is_directory(folder / name)) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      if (entry.path().extension() == ".safetensors") {
        paths.push_back(entry.path());
      }
    }
  }
  if (paths.empty()) {
    throw Error(message<"'{path}' holds no diffusers model: no .safetensors under unet/, "
                        "transformer/, text_encoder/ or vae/">(path_to_utf8(folder)));
  }
  std::sort(paths.begin(), paths.end());
  std::vector<TensorFile> files;
  ModelFiles found;
  std::set<std::string> folders;
  for (const fs::path& path : paths) {
    const TensorFile& file = files.emplace_back(TensorFile::open(path));
    count_file(file, summary);
    const std::string name = path_to_utf8(path.parent_path().filename());
    const Part part = *part_of_folder(name);
    folders.insert(name);
    summary.parts[is_text(part) ? part_name(part) : name] +=
        static_cast<std::int64_t>(file.tensors().size());
    found.files.push_back({part, file.tensors()});
  }
  summary.kind = ModelSummary::Kind::checkpoint;
  summary.layout = "diffusers";
  if (const auto names = recognise(found)) {
    const Family& family = names->family();
    const bool whole = folders.contains(std::string(family.part(kDenoiser)->folder));
    summary.family = whole ? family.id().name() : kUnknown;
  }
}

/// A base model in several files.
void describe_listed(const fs::path& json, ModelSummary& summary) {
  const BaseFiles listed = read_base_files(json);
  for (const auto& [part, path] : listed.parts) {
    const TensorFile file = TensorFile::open(path);
    count_file(file, summary);
    if (part == kDenoiser) {
      describe_checkpoint(file, summary);
      summary.licence = licence_of(file.metadata());
    } else {
      summary.parts[part_name(part)] += std::ssize(file.tensors());
    }
  }
}

/// Which variant of its family a base model is. Files that can't be opened as one, such as a lone
/// shard, have none.
void describe_variant(const fs::path& path, ModelSummary& summary) {
  const auto family = std::find_if(families().begin(), families().end(), [&](const Family* f) {
    return f->variant != nullptr && f->id().name() == summary.family;
  });
  if (family == families().end()) {
    return;
  }
  summary.variant = kUnknown;
  try {
    const ModelVariant found = (*family)->variant(WeightSource::open(path));
    if (!found.name.empty()) {
      summary.variant = found.name;
      summary.distilled = found.distilled;
      summary.variant_evidence = found.evidence;
    }
  } catch (const Error&) {
    // Whatever uses the model says why it can't be read.
  }
}

/// A folder that PEFT wrote, or one with such a folder for each part.
bool describe_peft_folder(const fs::path& folder, ModelSummary& summary) {
  bool found = false;
  std::vector<fs::path> folders{folder};
  for (const std::string_view name : part_folders()) {
    folders.push_back(folder / name);
  }
  for (const fs::path& at : folders) {
    const fs::path weights = at / "adapter_model.safetensors";
    if (!fs::exists(weights)) {
      continue;
    }
    const TensorFile file = TensorFile::open(weights);
    const std::int64_t before = summary.modules;
    count_file(file, summary);
    describe_adapter(file, summary);
    summary.modules += before;
    found = true;
  }
  return found;
}

}  // namespace

Part part_of_adapter_tensor(std::string_view name) {
  for (const std::string_view folder : part_folders()) {
    const Part part = *part_of_folder(folder);
    if (is_text(part) && (name.starts_with("lora_" + std::string(part.name()) + "_") ||
                          name.starts_with(std::string(folder) + "."))) {
      return part;
    }
  }
  return part_by_prefix(name, {&PartFiles::kohya, &PartFiles::comfyui}).value_or(kDenoiser);
}

ModelSummary inspect(const fs::path& path) {
  ModelSummary summary;
  summary.family = kUnknown;
  if (fs::is_directory(path)) {
    if (describe_peft_folder(path, summary)) {
      return summary;
    }
    describe_folder(path, summary);
    summary.licence = licence_in(path);
    describe_variant(path, summary);
    return summary;
  }
  if (is_base_files(path)) {
    describe_listed(path, summary);
    describe_variant(path, summary);
    return summary;
  }
  const TensorFile file = TensorFile::open(path);
  summary.metadata = file.metadata();
  count_file(file, summary);
  const bool adapter =
      std::any_of(file.tensors().begin(), file.tensors().end(), [](const TensorInfo& tensor) {
        const AdapterTensor::Role role = adapter_tensor(tensor.name).role;
        return role == AdapterTensor::Role::down || role == AdapterTensor::Role::other;
      });
  if (adapter) {
    describe_adapter(file, summary);
  } else if (!describe_embedding(file, summary)) {
    describe_checkpoint(file, summary);
    describe_variant(path, summary);
  }
  summary.licence = licence_of(file.metadata());
  return summary;
}

}  // namespace mantissa
