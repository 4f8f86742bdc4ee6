// WeightData of a diffusers folder: a folder for each part, weights in one file or in
// shards.
#include <algorithm>
#include <set>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/io/model_index.h"
#include "engine/io/shard_files.h"
#include "engine/io/weight_data.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view e) { return text.ends_with(e); });
}

// The weight files of one part: an index of shards, a single file, or shards without an index,
// which name their number; a variant ("fp16" in its name) only if there is nothing else.
std::vector<fs::path> weight_files(const fs::path& folder,
                                   std::map<std::string, std::string>& shards) {
  std::vector<fs::path> indices, plain, variants, variant_indices, pickles, loose;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = path_to_utf8(entry.path().filename());
    if (name.ends_with(".safetensors.index.json")) {
      indices.push_back(entry.path());
    } else if (name.ends_with(".json") && name.find(".safetensors.index.") != std::string::npos) {
      variant_indices.push_back(entry.path());
    } else if (name.ends_with(".safetensors")) {
      const std::string stem = name.substr(0, name.size() - 12);
      if (shard_name(name)) {
        loose.push_back(entry.path());
      } else {
        (stem.find('.') == std::string::npos ? plain : variants).push_back(entry.path());
      }
    } else if (ends_with_any(name, {".bin", ".pt", ".ckpt"})) {
      pickles.push_back(entry.path());
    }
  }
  for (auto* list : {&indices, &plain, &variants, &variant_indices}) {
    std::sort(list->begin(), list->end());
  }
  const std::string where = "'" + path_to_utf8(folder) + "'";
  if (plain.size() == 1) {
    return plain;
  }
  if (plain.empty() && indices.empty() && !variants.empty()) {
    return {variants.front()};
  }
  if (plain.size() > 1) {
    throw Error(message<"{path} holds several weight files ({files}); keep one">(
        where, path_to_utf8(plain[0].filename()) + ", " + path_to_utf8(plain[1].filename())));
  }
  if (indices.empty()) {
    indices = variant_indices;
  }
  if (indices.empty()) {
    if (std::vector<fs::path> all = unindexed_shards(loose); !all.empty()) {
      return all;
    }
    throw Error(
        pickles.empty()
            ? message<"{path} holds no .safetensors file; the model is incomplete, get it again">(
                  where)
            : message<"{path} holds only pickle weights ({file}), which can run any program when "
                      "opened and are never read; get the .safetensors version or convert them">(
                  where, path_to_utf8(pickles[0].filename())));
  }
  const nlohmann::json index = read_json(indices.front());
  const std::string label = "'" + path_to_utf8(indices.front()) + "'";
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object()) {
    throw Error(message<"{file} has no object 'weight_map'; get the model again">(label));
  }
  std::set<std::string> names;
  for (const auto& [tensor, file] : index["weight_map"].items()) {
    if (!file.is_string()) {
      throw Error(message<"{file}: the shard of '{tensor}' must be a file name">(label, tensor));
    }
    const auto name = file.get<std::string>();
    // A shard is in its index's folder; anything else could access unintended files.
    if (name.empty() || name == "." || name == ".." ||
        name.find_first_of("/\\:") != std::string::npos || !name.ends_with(".safetensors")) {
      throw Error(message<"{file}: the shard name '{name}' is not the name of a .safetensors file "
                          "in the same folder">(label, name.substr(0, 200)));
    }
    shards[tensor] = name;
    names.insert(name);
  }
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    files.push_back(folder / path_from_utf8(name));
  }
  return files;
}

}  // namespace

void WeightData::open_part(Part p, const fs::path& folder, ModelFiles& found) {
  if (fs::exists(folder / "config.json")) {
    configs[p] = read_json(folder / "config.json");
  }
  std::map<std::string, std::string> shards;
  std::set<std::string_view> names_held;  // of shards without an index
  std::size_t held = 0;
  for (const fs::path& file : weight_files(folder, shards)) {
    files.push_back(TensorFile::open(file));
    const TensorFile& opened = files.back();
    found.files.push_back({p, opened.tensors()});
    for (const TensorInfo& tensor :
         shards.empty() ? opened.tensors() : std::span<const TensorInfo>()) {
      if (!names_held.insert(tensor.name).second) {
        throw Error(message<"'{file}': tensor '{tensor}' is in another shard too; get the model "
                            "again">(opened.label(), tensor.name));
      }
    }
    if (shards.empty()) {
      continue;
    }
    for (const TensorInfo& tensor : opened.tensors()) {
      const auto shard = shards.find(tensor.name);
      if (shard == shards.end() || shard->second != path_to_utf8(file.filename())) {
        throw Error(message<"'{file}': tensor '{tensor}' is not listed for this shard in the "
                            "folder's index; get the model again">(opened.label(), tensor.name));
      }
      ++held;
    }
  }
  if (held != shards.size()) {
    throw Error(message<"'{path}': the index lists {listed} tensors, the shards hold {held} of "
                        "them; a shard is missing or incomplete, get the model again">(
        path_to_utf8(folder), shards.size(), held));
  }
}

void WeightData::open_lone_part(const fs::path& folder) {
  ModelFiles found;
  const Part part = names->family().parts.front().part;
  open_part(part, folder, found);
  take(found);
  if (fs::exists(folder / "vocab.json") || fs::exists(folder / "tokenizer.json")) {
    tokenizers[part] = folder;
  }
}

void WeightData::open_folder(const fs::path& folder) {
  ModelFiles found;
  if (names != nullptr && fs::exists(folder / "config.json")) {
    open_lone_part(folder);
    return;
  }
  std::map<Part, fs::path> below;  // the first folder of a part counts
  for (const std::string_view name : part_folders()) {
    if (fs::is_directory(folder / name)) {
      below.try_emplace(*part_of_folder(name), folder / name);
    }
  }
  if (!below.contains(kDenoiser) && !below.contains(kVae)) {
    throw Error(message<"{path} is no diffusers model: it has neither unet/, transformer/ nor "
                        "vae/; pass a diffusers folder or one .safetensors checkpoint">(
        "'" + path_to_utf8(folder) + "'"));
  }
  for (const Part p : known_parts()) {
    if (const auto at = below.find(p); at != below.end()) {
      open_part(p, at->second, found);
    }
  }
  names = names ? names : recognise(found);
  take(found);
  index = read_model_index(folder, names->family());
  if (fs::exists(folder / "scheduler" / "scheduler_config.json")) {
    scheduler = read_python_json(folder / "scheduler" / "scheduler_config.json");
    if (scheduler->is_object() &&
        scheduler->value("lambda_min_clipped", nlohmann::json()) == "-Infinity") {
      scheduler->erase("lambda_min_clipped");  // diffusers' default
    }
    if (const std::string loaded = scheduler_class(index);
        scheduler->is_object() && !loaded.empty()) {
      (*scheduler)["_class_name"] = loaded;
    }
  }
  for (const PartFiles& part : names->family().parts) {
    const fs::path at = folder / part.tokenizer;
    if (!part.tokenizer.empty() &&
        (fs::exists(at / "vocab.json") || fs::exists(at / "tokenizer.json") ||
         fs::exists(at / "spiece.model"))) {
      tokenizers[part.part] = at;
    }
  }
}

}  // namespace mantissa
