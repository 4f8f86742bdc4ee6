#include "engine/io/model_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/finite_weights.h"
#include "engine/io/gguf.h"
#include "engine/io/model_index.h"
#include "engine/io/other_types.h"
#include "engine/io/part_names.h"
#include "engine/io/safetensors.h"
#include "engine/io/whole_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// fp32 values rounded into bytes of `dtype`.
void round_into(std::span<const float> values, DType dtype, std::span<std::byte> out,
                const std::string& name) {
  dispatch_float(dtype, [&]<typename T>() {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T narrow = static_cast<T>(values[i]);
      if (std::isfinite(values[i]) && !std::isfinite(static_cast<float>(narrow))) {
        throw Error(message<"{weight}: {type} can't hold a value of this weight; write the model "
                            "in bf16 or fp32">(name, dtype_name(dtype)));
      }
      std::memcpy(out.data() + i * sizeof(T), &narrow, sizeof(T));
    }
  });
}

ModelTensor tensor_of(const WeightSource& source, Part part, const std::string& name,
                      std::optional<DType> dtype) {
  const WeightView view = source.whole_view(part, name);
  const bool plain = !is_quantized(view.dtype) && view.scales.empty();
  const DType own = plain ? view.dtype : DType::bf16;
  ModelTensor tensor{name, dtype.value_or(own), view.shape, {}};
  tensor.fill = [source, part, name, to = tensor.dtype](std::span<std::byte> out) {
    const WeightView from = source.whole_view(part, name);
    if (from.dtype == to && from.straight() && from.scales.empty()) {
      require_finite(source, part, name);
      std::memcpy(out.data(), from.data, out.size());
    } else {
      source.read_whole_as(part, name, to, out.data());
    }
  };
  return tensor;
}

/// Transposes a matrix.
std::function<void(std::span<std::byte>)> turned_fill(const ModelTensor& tensor) {
  return [tensor](std::span<std::byte> out) {
    std::vector<std::byte> straight(out.size());
    tensor.fill(straight);
    const std::size_t size = dtype_size(tensor.dtype);
    const auto rows = static_cast<std::size_t>(tensor.shape[1]);
    const auto cols = static_cast<std::size_t>(tensor.shape[0]);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < cols; ++c) {
        std::memcpy(out.data() + (r * cols + c) * size, straight.data() + (c * rows + r) * size,
                    size);
      }
    }
  };
}

/// Puts the second half of the rows first.
std::function<void(std::span<std::byte>)> swapped_fill(const ModelTensor& tensor) {
  return [tensor](std::span<std::byte> out) {
    tensor.fill(out);
    std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(out.size() / 2), out.end());
  };
}

/// A single file's tensors: each under its original name, in its shape there.
class OriginalTensors {
 public:
  explicit OriginalTensors(const ModelContents& model)
      : name_of_(model.family->original_names(model)), told_(model.codes_written) {}

  void add(Part part, const ModelTensor& tensor) {
    const auto to = name_of_(part, tensor.name);
    if (!to) {
      throw Error(message<"the {part} weight '{weight}' has no name in a single file; write a "
                          "diffusers folder instead">(part.name(), tensor.name));
    }
    if (to->transform == NameTransform::split_rows) {
      auto& shares = fused_[to->name];
      shares.resize(static_cast<std::size_t>(to->slices), nullptr);
      std::fill_n(shares.begin() + to->slice, to->span, &tensor);
      return;
    }
    Shape shape = tensor.shape;
    if (to->transform == NameTransform::squeeze && shape.rank() == 2) {
      shape = {shape[0], shape[1], 1, 1};
    }
    if (to->transform == NameTransform::six_rows) {
      shape = Shape{shape.count()};
    }
    const bool turned = to->transform == NameTransform::transpose;
    if (turned) {
      shape = {shape[1], shape[0]};
    }
    const bool swapped = to->transform == NameTransform::swap_halves;
    put({to->name, tensor.dtype, shape, nullptr,
         turned    ? turned_fill(tensor)
         : swapped ? swapped_fill(tensor)
                   : tensor.fill},
        turned ? std::nullopt : tensor.codes);  // codes are of rows
  }
  std::vector<TensorToWrite> take() {
    for (const auto& [name, shares] : fused_) {
      put(fused(name, shares), shares[0]->codes);
    }
    return std::move(list_);
  }

 private:
  void put(TensorToWrite tensor, std::optional<DType> codes) {
    if (!codes) {
      list_.push_back(std::move(tensor));
      return;
    }
    std::ranges::move(coded_tensors(tensor, *codes, told_), std::back_inserter(list_));
  }

  /// q, k and v stacked by rows; one with several shares stands in each of them.
  static TensorToWrite fused(const std::string& name,
                             const std::vector<const ModelTensor*>& shares) {
    for (const ModelTensor* share : shares) {
      if (share == nullptr || shares[0] == nullptr || share->dtype != shares[0]->dtype ||
          share->codes != shares[0]->codes) {
        throw Error(message<"{tensor}: q, k and v must be there all three, in one type, to be "
                            "written as one tensor">(name));
      }
    }
    Shape shape = shares[0]->shape;
    shape[0] *= static_cast<std::int64_t>(
        shares.size() / static_cast<std::size_t>(std::ranges::count(shares, shares[0])));
    return {name, shares[0]->dtype, shape, nullptr, [shares](std::span<std::byte> out) {
              const std::size_t bytes = out.size() / shares.size();
              for (auto first = shares.begin(); first != shares.end();) {
                const auto end = std::find_if(first, shares.end(),
                                              [&](const auto* other) { return other != *first; });
                (*first)->fill(out.subspan(static_cast<std::size_t>(first - shares.begin()) * bytes,
                                           static_cast<std::size_t>(end - first) * bytes));
                first = end;
              }
            }};
  }

  OriginalName name_of_;
  CodesWritten told_;
  std::vector<TensorToWrite> list_;
  std::map<std::string, std::vector<const ModelTensor*>> fused_;
};

/// The model's schedule, else its family's.
json scheduler_of(const ModelContents& model) {
  return model.scheduler ? *model.scheduler : json::parse(model.family->scheduler);
}

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

/// A tensor of a file, which it holds open.
ModelContents::Extra carried(const SafetensorsFile& file, const TensorInfo& from,
                             std::optional<Part> part) {
  ModelContents::Extra extra;
  extra.tensor = {from.name, from.type.value_or(DType::u8), from.shape(), nullptr,
                  [file, name = from.name](std::span<std::byte> out) {
                    std::memcpy(out.data(), file.find(name)->data, out.size());
                  }};
  extra.part = part;
  extra.other_type = from.type ? "" : from.dtype;
  return extra;
}

/// What is no weight of one of the source's files, which is mapped once more.
void add_extras(ModelContents& model, const WeightSource& source, const fs::path& path,
                std::optional<Part> part, const std::set<std::string>& names) {
  if (GgufFile::is_gguf(path)) {
    return;  // its types are of its own
  }
  const std::string head = part ? part_folder(*part) + "." : "";
  const SafetensorsFile file = SafetensorsFile::open(path);
  for (const TensorInfo& tensor : file.tensors()) {
    if (!names.contains(head + tensor.name)) {
      continue;
    }
    if (!part && source.has_marker(tensor.name)) {
      model.markers.push_back(tensor.name);
      model.source_markers[tensor.name] = carried(file, tensor, part);
    } else {
      model.extras.push_back(carried(file, tensor, part));
    }
  }
}

void add_extras(ModelContents& model, const WeightSource& source) {
  std::set<std::string> names(source.ignored().begin(), source.ignored().end());
  names.insert(source.unknown().begin(), source.unknown().end());
  if (names.empty()) {
    return;
  }
  if (source.single_file()) {
    add_extras(model, source, source.path(), std::nullopt, names);
    return;
  }
  if (!fs::is_directory(source.path())) {  // files that a .json lists
    for (const PartFiles& files : model.family->parts) {
      for (const fs::path& path : source.own_files(files.part)) {
        add_extras(model, source, path, files.part, names);
      }
    }
    return;
  }
  for (const fs::path& path : source.files()) {
    add_extras(model, source, path, part_of_folder(path_to_utf8(path.parent_path().filename())),
               names);
  }
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

/// The pipeline's class stays where it tells a model that edits from others of its network.
void keep_class(ModelContents& model, const WeightSource& source) {
  constexpr const char* kClass = "_class_name";
  const Family& family = source.family();
  if (family.edit_variants.empty() || !source.model_index().contains(kClass)) {
    return;
  }
  const std::string_view variant = family.variant(source).name;
  if (std::ranges::find(family.edit_variants, variant) != family.edit_variants.end()) {
    model.pipeline[kClass] = source.model_index().at(kClass);
  }
}

}  // namespace

ModelContents model_contents(const WeightSource& source, std::optional<DType> dtype) {
  ModelContents model;
  model.family = &source.family();
  model.scheduler = source.scheduler_config();
  model.pipeline = pipeline_settings(source.model_index(), *model.family);
  keep_class(model, source);
  const bool v = source.has_marker("v_pred"), zero = source.has_marker("ztsnr");
  if (!model.scheduler && (v || zero)) {
    set_prediction(model, v, zero);
  }
  model.markers.clear();
  add_extras(model, source);
  for (const PartFiles& files : model.family->parts) {
    const Part part = files.part;
    if (!source.has_part(part)) {
      continue;
    }
    for (const std::string& name : source.names(part)) {
      model.parts[part].push_back(tensor_of(source, part, name, dtype));
    }
    if (const auto given = source.config(part)) {
      model.configs[part] = *given;
    }
    if (const auto folder = source.tokenizer_folder(part)) {
      model.tokenizers[part] = *folder;
    }
  }
  model.family->complete(model, source);
  return model;
}

std::uint64_t least_bytes(const ModelContents& model) {
  std::uint64_t bytes = 0;
  for (const auto& [part, tensors] : model.parts) {
    for (const ModelTensor& tensor : tensors) {
      const auto count = static_cast<std::uint64_t>(tensor.shape.count());
      bytes +=
          tensor.codes || is_blocked(tensor.dtype) ? count / 2 : count * dtype_size(tensor.dtype);
    }
  }
  return bytes;
}

std::map<std::string, std::string> carried_metadata(const WeightSource& source) {
  std::map<std::string, std::string> metadata = source.metadata();
  for (const char* stale :
       {"modelspec.hash_sha256", "sshs_model_hash", "sshs_legacy_hash", "_quantization_metadata"}) {
    metadata.erase(stale);
  }
  return metadata;
}

void set_prediction(ModelContents& model, bool v, bool zero_terminal_snr) {
  json scheduler = scheduler_of(model);
  if (scheduler.value("rescale_betas_zero_snr", false) != zero_terminal_snr) {
    // Tables of the old schedule, which other programs would read: "alphas_cumprod".
    std::erase_if(model.extras, [](const ModelContents::Extra& extra) {
      return !extra.part && extra.tensor.name.find('.') == std::string::npos;
    });
  }
  scheduler["prediction_type"] = v ? "v_prediction" : "epsilon";
  scheduler["rescale_betas_zero_snr"] = zero_terminal_snr;
  if (zero_terminal_snr) {
    scheduler["timestep_spacing"] = "trailing";  // the only one that starts at the last step
  }
  model.scheduler = scheduler;
  for (const auto& [marker, wanted] : {std::pair{"v_pred", v}, {"ztsnr", zero_terminal_snr}}) {
    std::erase(model.markers, marker);
    if (wanted) {
      model.markers.emplace_back(marker);
    }
  }
}

void replace_values(ModelContents& model, Part part, std::string_view name,
                    std::function<std::vector<float>()> values) {
  auto& list = model.parts[part];
  const auto at = std::find_if(list.begin(), list.end(),
                               [&](const ModelTensor& tensor) { return tensor.name == name; });
  if (at == list.end()) {
    throw Error(message<"the model has no {part} weight '{weight}' to replace">(part.name(), name));
  }
  at->fill = [values = std::move(values), tensor = *at](std::span<std::byte> out) {
    round_into(values(), tensor.dtype, out, tensor.name);
  };
}

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
