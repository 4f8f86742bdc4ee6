#include "engine/io/model_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/model_config.h"
#include "engine/io/name_parts.h"
#include "engine/io/safetensors.h"

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
  const WeightView view = source.view(part, name);
  ModelTensor tensor{name, dtype.value_or(view.dtype), view.shape, {}};
  tensor.fill = [source, part, name, to = tensor.dtype](std::span<std::byte> out) {
    const WeightView from = source.view(part, name);
    if (from.dtype == to && !from.transposed) {
      std::memcpy(out.data(), from.data, out.size());
    } else {
      source.read_as(part, name, to, out.data());
    }
  };
  return tensor;
}

/// The LDM form of one part's tensors: names, [c, c, 1, 1] for the VAE's attention.
class LdmNames {
 public:
  explicit LdmNames(const ModelContents& model) : model_(model) {}

  void add(Part part, const ModelTensor& tensor) {
    const bool openclip = part == kTe2 || (part == kTe1 && model_.openclip_te1);
    if (openclip) {
      return add_openclip(part, tensor);
    }
    Shape shape = tensor.shape;
    std::optional<std::string> name = tensor.name;
    if (part == kDenoiser) {
      name = unet_to_ldm(tensor.name, model_.layout);
    } else if (part == kVae) {
      name = vae_to_ldm(tensor.name, model_.vae_levels);
      if (shape.rank() == 2) {
        shape = {shape[0], shape[1], 1, 1};
      }
    }
    if (!name) {
      throw Error(message<"the {part} weight '{weight}' has no name in a single file; write a "
                          "diffusers folder instead">(part_name(part), tensor.name));
    }
    list_.push_back({prefix(part) + *name, tensor.dtype, shape, nullptr, tensor.fill});
  }
  std::vector<TensorToWrite> take() {
    for (const auto& [name, thirds] : fused_) {
      list_.push_back(fused(name, thirds));
    }
    return std::move(list_);
  }

 private:
  std::string prefix(Part part) const {
    if (part != kTe1 || model_.family->part(kTe2) != nullptr) {
      return std::string(ldm_prefix(part));
    }
    return std::string(model_.openclip_te1 ? kSd2TextPrefix : kSd15TextPrefix);
  }

  void add_openclip(Part part, const ModelTensor& tensor) {
    const auto to = hf_to_openclip(tensor.name);
    if (!to) {
      throw Error(message<"the {part} weight '{weight}' has no OpenCLIP name; write a diffusers "
                          "folder instead">(part_name(part), tensor.name));
    }
    const std::string name = prefix(part) + to->name;
    if (to->transform == NameTransform::split_rows) {
      fused_[name][static_cast<std::size_t>(to->slice)] = &tensor;
      return;
    }
    if (to->transform != NameTransform::transpose) {
      list_.push_back({name, tensor.dtype, tensor.shape, nullptr, tensor.fill});
      return;
    }
    const Shape turned{tensor.shape[1], tensor.shape[0]};
    list_.push_back(
        {name, tensor.dtype, turned, nullptr, [tensor, turned](std::span<std::byte> out) {
           std::vector<std::byte> straight(out.size());
           tensor.fill(straight);
           const std::size_t size = dtype_size(tensor.dtype);
           const auto rows = static_cast<std::size_t>(turned[0]);
           const auto cols = static_cast<std::size_t>(turned[1]);
           for (std::size_t r = 0; r < rows; ++r) {
             for (std::size_t c = 0; c < cols; ++c) {
               std::memcpy(out.data() + (r * cols + c) * size,
                           straight.data() + (c * rows + r) * size, size);
             }
           }
         }});
  }

  /// q, k and v below each other.
  static TensorToWrite fused(const std::string& name,
                             const std::array<const ModelTensor*, 3>& thirds) {
    for (const ModelTensor* third : thirds) {
      if (third == nullptr || third->dtype != thirds[0]->dtype) {
        throw Error(message<"{tensor}: q, k and v must be there all three, in one type, to be "
                            "written as one tensor">(name));
      }
    }
    Shape shape = thirds[0]->shape;
    shape[0] *= 3;
    return {name, thirds[0]->dtype, shape, nullptr, [thirds](std::span<std::byte> out) {
              const std::size_t share = out.size() / 3;
              for (std::size_t i = 0; i < 3; ++i) {
                thirds[i]->fill(out.subspan(i * share, share));
              }
            }};
  }

  const ModelContents& model_;
  std::vector<TensorToWrite> list_;
  std::map<std::string, std::array<const ModelTensor*, 3>> fused_;
};

json default_scheduler() {
  return {{"_class_name", "EulerDiscreteScheduler"},
          {"beta_start", 0.00085},
          {"beta_end", 0.012},
          {"beta_schedule", "scaled_linear"},
          {"num_train_timesteps", 1000},
          {"prediction_type", "epsilon"},
          {"steps_offset", 1},
          {"timestep_spacing", "leading"}};
}

json model_index(const ModelContents& model) {
  const auto entry = [](const LibraryClass& c) {
    return json::array({std::string(c.library), std::string(c.name)});
  };
  json index{{"_class_name", std::string(model.family->pipeline)}};
  for (const PartFiles& part : model.family->parts) {
    if (!model.parts.contains(part.part)) {
      continue;
    }
    index[std::string(part.folder)] = entry(part.model);
    if (!part.tokenizer.empty()) {
      index[std::string(part.tokenizer)] = entry(part.tokenizer_model);
    }
  }
  const json scheduler = model.scheduler.value_or(default_scheduler());
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
        message<"a model of the family {family} has no part {part}">(family.title, part.name()));
  }
  return *files;
}

/// SD 2.x takes what enters the last of OpenCLIP's 24 layers; diffusers' folders leave that layer
/// out.
constexpr int kOpenClipLayers = 24;
bool drops_layer(const ModelContents& model) {
  const auto config = model.configs.find(kTe1);
  return model.openclip_te1 && config != model.configs.end() &&
         config->second.value("num_hidden_layers", 0) == kOpenClipLayers;
}
bool is_unused_layer(const ModelContents& model, const std::string& name) {
  return drops_layer(model) &&
         name.starts_with("text_model.encoder.layers." + std::to_string(kOpenClipLayers - 1) + ".");
}

/// `file` is the source's own, mapped once more: the extras hold it open.
void add_extras(ModelContents& model, const SafetensorsFile& file,
                const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool kept = name.ends_with("logit_scale") || name.ends_with("position_ids");
    const TensorInfo* tensor = kept ? file.find(name) : nullptr;
    if (tensor != nullptr && tensor->type) {
      model.extras.push_back(
          {name, *tensor->type, tensor->shape(), nullptr, [file, name](std::span<std::byte> out) {
             std::memcpy(out.data(), file.find(name)->data, out.size());
           }});
    }
  }
}

}  // namespace

ModelContents model_contents(const WeightSource& source, std::optional<DType> dtype) {
  ModelContents model;
  model.family = &source.family();
  model.layout = source.unet_layout();
  model.scheduler = source.scheduler_config();
  if (source.single_file()) {
    add_extras(model, SafetensorsFile::open(source.path()), source.ignored());
  }
  const bool v = source.has_marker("v_pred"), zero = source.has_marker("ztsnr");
  if (!model.scheduler && (v || zero)) {
    set_prediction(model, v, zero);
  }
  for (Part part : {kDenoiser, kTe1, kTe2, kVae}) {
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
  const auto fill = [&](Part part, auto config) {
    if (source.has_part(part) && !model.configs.contains(part)) {
      model.configs[part] = to_json(config());
    }
  };
  if (source.has_part(kVae)) {
    const VaeConfig vae = vae_config(source);
    model.vae_levels = static_cast<int>(vae.block_out_channels.size());
    fill(kVae, [&] { return vae; });
  }
  if (!model.family->t5) {
    fill(kDenoiser, [&] { return unet_config(source); });
    fill(kTe1, [&] { return clip_config(source, kTe1); });
    fill(kTe2, [&] { return clip_config(source, kTe2); });
    model.openclip_te1 = model.family->part(kTe2) == nullptr && source.has_part(kTe1) &&
                         !clip_config(source, kTe1).quick_gelu;
  }
  return model;
}

void set_prediction(ModelContents& model, bool v, bool zero_terminal_snr) {
  json scheduler = model.scheduler.value_or(default_scheduler());
  scheduler["prediction_type"] = v ? "v_prediction" : "epsilon";
  scheduler["rescale_betas_zero_snr"] = zero_terminal_snr;
  if (zero_terminal_snr) {
    scheduler["timestep_spacing"] = "trailing";  // the only one that starts at the last step
  }
  model.scheduler = scheduler;
  model.markers.clear();
  if (v) {
    model.markers.emplace_back("v_pred");
  }
  if (zero_terminal_snr) {
    model.markers.emplace_back("ztsnr");
  }
}

void replace_values(ModelContents& model, Part part, std::string_view name,
                    std::function<std::vector<float>()> values) {
  auto& list = model.parts[part];
  const auto at = std::find_if(list.begin(), list.end(),
                               [&](const ModelTensor& tensor) { return tensor.name == name; });
  if (at == list.end()) {
    throw Error(
        message<"the model has no {part} weight '{weight}' to replace">(part_name(part), name));
  }
  at->fill = [values = std::move(values), tensor = *at](std::span<std::byte> out) {
    round_into(values(), tensor.dtype, out, tensor.name);
  };
}

void write_model_file(const fs::path& file, const ModelContents& model,
                      std::map<std::string, std::string> metadata) {
  if (!model.family->single_file) {
    throw Error(message<"{path}: a {family} model is written as a diffusers folder; give a name "
                        "without .safetensors">(path_to_utf8(file), model.family->title));
  }
  LdmNames names(model);
  json configs = json::object();
  for (const auto& [part, tensors] : model.parts) {
    for (const ModelTensor& tensor : tensors) {
      names.add(part, tensor);
    }
    if (const auto config = model.configs.find(part); config != model.configs.end()) {
      configs[std::string(part_name(part))] = config->second;
    }
  }
  configs["scheduler"] = model.scheduler.value_or(default_scheduler());
  metadata.emplace("format", "pt");
  metadata.emplace("mantissa.config", configs.dump());
  std::vector<TensorToWrite> tensors = names.take();
  tensors.insert(tensors.end(), model.extras.begin(), model.extras.end());
  for (const std::string& marker : model.markers) {
    tensors.push_back({marker, DType::f32, Shape{0}, nullptr, {}});
  }
  write_safetensors(file, tensors, metadata);
}

void write_model_folder(const fs::path& folder, const ModelContents& model) {
  fs::create_directories(folder);
  for (const auto& [part, tensors] : model.parts) {
    const fs::path to = folder / files_of(part, *model.family).folder;
    fs::create_directories(to);
    std::vector<TensorToWrite> list;
    for (const ModelTensor& tensor : tensors) {
      if (part == kTe1 && is_unused_layer(model, tensor.name)) {
        continue;
      }
      list.push_back({tensor.name, tensor.dtype, tensor.shape, nullptr, tensor.fill});
    }
    const bool text = part == kTe1 || part == kTe2;
    write_safetensors(to / (text ? "model.safetensors" : "diffusion_pytorch_model.safetensors"),
                      list, {{"format", "pt"}});
    if (const auto config = model.configs.find(part); config != model.configs.end()) {
      json written = config->second;
      if (part == kTe1 && drops_layer(model)) {
        written["num_hidden_layers"] = kOpenClipLayers - 1;
      }
      atomic_write(to / "config.json", written.dump(2) + "\n");
    }
  }
  for (const auto& [part, from] : model.tokenizers) {
    const fs::path to = folder / files_of(part, *model.family).tokenizer;
    if (!fs::equivalent(from.parent_path(), folder)) {
      fs::create_directories(to);
      fs::copy(from, to, fs::copy_options::overwrite_existing | fs::copy_options::recursive);
    }
  }
  const json scheduler = model.scheduler.value_or(default_scheduler());
  fs::create_directories(folder / "scheduler");
  atomic_write(folder / "scheduler" / "scheduler_config.json", scheduler.dump(2) + "\n");
  atomic_write(folder / "model_index.json", model_index(model).dump(2) + "\n");
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
