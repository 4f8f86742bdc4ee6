#include "engine/io/model_writer.h"

#include <optional>
#include <set>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/original_tensors.h"
#include "engine/io/other_types.h"
#include "engine/io/part_names.h"
#include "engine/io/safetensors.h"
#include "engine/io/whole_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json index_of(const ModelContents& model) {
  const auto entry = [](const LibraryClass& c) {
    return json::array({std::string(c.library), std::string(c.name)});
  };
  json index = model.pipeline.is_object() ? model.pipeline : json::object();
  if (!index.contains("_class_name")) {
    index["_class_name"] = std::string(model.family->pipeline);
  }
  for (const PartFiles& part : model.family->parts) {
    if (!model.parts.contains(part.part)) {
      continue;
    }
    index[std::string(part.folder)] = entry(part.model);
    if (!part.tokenizer.empty()) {
      index[std::string(part.tokenizer)] = entry(part.tokenizer_model);
    }
  }
  const json scheduler = scheduler_of(model);
  index["scheduler"] = {"diffusers", scheduler.value("_class_name", "EulerDiscreteScheduler")};
  for (const std::string_view absent : model.family->absent) {
    index[std::string(absent)] = json::array({nullptr, nullptr});
  }
  return index;
}

/// The family's own folders of a part; Error for one that the family doesn't have.
const PartFiles& files_of(Part part, const Family& family) {
  const PartFiles* files = family.part(part);
  if (files == nullptr) {
    throw Error(
        message<"a model of the family {family} has no part {part}">(family.title(), part.name()));
  }
  return *files;
}

/// Those of a part's folder, or without one of a single file, that no weight's tensor has the name
/// of.
OtherTypes append_extras(std::vector<TensorToWrite>& tensors, const ModelContents& model,
                         std::optional<Part> part) {
  std::set<std::string> names;
  for (const TensorToWrite& tensor : tensors) {
    names.insert(tensor.name);
  }
  OtherTypes types;
  for (const ModelContents::Extra& extra : model.extras) {
    if (extra.part == part && names.insert(extra.tensor.name).second) {
      tensors.push_back(extra.tensor);
      if (!extra.other_type.empty()) {
        types[extra.tensor.name] = extra.other_type;
      }
    }
  }
  return types;
}

/// As fs::copy with overwrite_existing, which MinGW's library refuses within a drive.
void copy_files(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    const fs::path place = to / entry.path().lexically_relative(from);
    if (entry.is_directory()) {
      fs::create_directories(place);
    } else {
      atomic_write(place, read_text(entry.path(), entry.file_size()));
    }
  }
}

}  // namespace

void require_original_names(const ModelContents& model) {
  OriginalTensors original(model);
  for (const auto& [part, tensors] : model.parts) {
    for (const ModelTensor& tensor : tensors) {
      original.add(part, tensor);
    }
  }
  original.take();
}

void write_model_file(const fs::path& file, const ModelContents& model,
                      std::map<std::string, std::string> metadata) {
  if (model.family->original_names == nullptr) {
    throw Error(
        message<"{path}: models of the family {family} are written as a diffusers folder; "
                "give a name without .safetensors">(path_to_utf8(file), model.family->title()));
  }
  OriginalTensors original(model);
  json configs = json::object();
  for (const auto& [part, tensors] : model.parts) {
    for (const ModelTensor& tensor : tensors) {
      original.add(part, tensor);
    }
    if (const auto config = model.configs.find(part); config != model.configs.end()) {
      configs[std::string(part_name(part))] = config->second;
    }
  }
  configs["scheduler"] = scheduler_of(model);
  if (model.pipeline.is_object() && !model.pipeline.empty()) {
    configs["pipeline"] = model.pipeline;
  }
  metadata.emplace("format", "pt");
  metadata.emplace("mantissa.config", configs.dump());
  std::vector<TensorToWrite> tensors = original.take();
  OtherTypes types = append_extras(tensors, model, std::nullopt);
  for (const std::string& marker : model.markers) {
    const auto own = model.source_markers.find(marker);
    if (own == model.source_markers.end()) {
      tensors.push_back({marker, DType::f32, Shape{0}, nullptr, {}});
      continue;
    }
    tensors.push_back(own->second.tensor);
    if (!own->second.other_type.empty()) {
      types[marker] = own->second.other_type;
    }
  }
  write_safetensors(file, tensors, metadata, types);
}

void write_model_folder(const fs::path& target, const ModelContents& contents) {
  ModelContents model = contents;
  if (model.family->to_folder != nullptr) {
    model.family->to_folder(model);
  }
  // A weight that its type can't hold shows only once it is computed, after others were written.
  WholeFolder whole(target);
  const fs::path& folder = whole.path();
  for (const auto& [part, tensors] : model.parts) {
    const PartFiles& files = files_of(part, *model.family);
    const fs::path to = folder / files.folder;
    fs::create_directories(to);
    std::vector<TensorToWrite> list;
    for (const ModelTensor& tensor : tensors) {
      if (tensor.codes) {
        throw Error(message<"{path}: codes with scales are written as one file; give a name that "
                            "ends in .safetensors">(path_to_utf8(target)));
      }
      list.push_back({tensor.name, tensor.dtype, tensor.shape, nullptr, tensor.fill});
    }
    const OtherTypes types = append_extras(list, model, part);
    const bool transformers = files.model.library == "transformers";
    write_safetensors(
        to / (transformers ? "model.safetensors" : "diffusion_pytorch_model.safetensors"), list,
        {{"format", "pt"}}, types);
    if (const auto config = model.configs.find(part); config != model.configs.end()) {
      atomic_write(to / "config.json", config->second.dump(2) + "\n");
    }
  }
  for (const auto& [part, from] : model.tokenizers) {
    const fs::path to = folder / files_of(part, *model.family).tokenizer;
    std::error_code none;
    if (!fs::equivalent(from.parent_path(), target, none)) {
      copy_files(from, to);
    }
  }
  for (const auto& [name, from] : model.folders) {
    copy_files(from, folder / name);
  }
  const json scheduler = scheduler_of(model);
  fs::create_directories(folder / "scheduler");
  atomic_write(folder / "scheduler" / "scheduler_config.json", scheduler.dump(2) + "\n");
  atomic_write(folder / "model_index.json", index_of(model).dump(2) + "\n");
  whole.commit();
}

void write_model(const fs::path& out, const ModelContents& model,
                 const std::map<std::string, std::string>& metadata) {
  if (out.extension() == ".safetensors") {
    write_model_file(out, model, metadata);
  } else {
    write_model_folder(out, model);
  }
}

}  // namespace mantissa
