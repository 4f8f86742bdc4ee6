#include "engine/io/model_contents.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/finite_weights.h"
#include "engine/io/gguf.h"
#include "engine/io/model_index.h"
#include "engine/io/part_names.h"

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

json scheduler_of(const ModelContents& model) {
  return model.scheduler ? *model.scheduler : json::parse(model.family->scheduler);
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

}  // namespace mantissa
