#include "engine/io/weights.h"

#include <algorithm>
#include <array>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/io/weight_convert.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::array<ModelPart, 4> kParts{ModelPart::unet, ModelPart::te1, ModelPart::te2,
                                          ModelPart::vae};
constexpr std::string_view kSd15TextPrefix = "cond_stage_model.transformer.";
constexpr std::string_view kSd2TextPrefix = "cond_stage_model.model.";

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view e) { return text.ends_with(e); });
}

bool is_marker(std::string_view name) {
  return name.find('.') == std::string_view::npos &&
         (name.starts_with("v_pred") || name.starts_with("ztsnr") || name.starts_with("edm_"));
}

// Extras that files are known to carry and that say nothing about the weights.
bool is_harmless(std::string_view name) {
  static constexpr std::array<std::string_view, 15> kExact{"betas",
                                                           "alphas_cumprod",
                                                           "alphas_cumprod_prev",
                                                           "sqrt_alphas_cumprod",
                                                           "sqrt_one_minus_alphas_cumprod",
                                                           "log_one_minus_alphas_cumprod",
                                                           "sqrt_recip_alphas_cumprod",
                                                           "sqrt_recipm1_alphas_cumprod",
                                                           "posterior_variance",
                                                           "posterior_log_variance_clipped",
                                                           "posterior_mean_coef1",
                                                           "posterior_mean_coef2",
                                                           "logvar",
                                                           "scale_factor",
                                                           "lvlb_weights"};
  return is_marker(name) || name.starts_with("model_ema.") || name.starts_with("denoiser.") ||
         name.starts_with("first_stage_model.loss.") ||
         ends_with_any(name, {"position_ids", "logit_scale"}) ||
         std::find(kExact.begin(), kExact.end(), name) != kExact.end();
}

// Text encoders are also stored without the outer "text_model." by some versions.
std::string with_text_model(std::string_view name) {
  const bool bare = name.starts_with("embeddings.") || name.starts_with("encoder.layers.") ||
                    name.starts_with("final_layer_norm.");
  return (bare ? "text_model." : "") + std::string(name);
}

// Does this name belong to a T5 encoder?
bool is_t5(std::string_view name) {
  return name == "shared.weight" || name.starts_with("encoder.block.") ||
         name == "encoder.final_layer_norm.weight";
}

// What every PixArt transformer has under diffusers' names, and no other model here.
constexpr const char* kPixartMark = "adaln_single.linear.weight";

bool holds_original_pixart(const SafetensorsFile& file) {
  return std::any_of(file.tensors().begin(), file.tensors().end(),
                     [](const TensorInfo& t) { return is_original_pixart(t.name); });
}

// Names of the middle attention in VAE folders written by old versions of diffusers.
std::string with_new_attention(std::string name) {
  if (name.find(".mid_block.attentions.0.") == std::string::npos) {
    return name;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOld{
      {{".query.", ".to_q."},
       {".key.", ".to_k."},
       {".value.", ".to_v."},
       {".proj_attn.", ".to_out.0."}}};
  for (const auto& [before, after] : kOld) {
    if (const auto at = name.find(before); at != std::string::npos) {
      name.replace(at, before.size(), after);
    }
  }
  return name;
}

}  // namespace

struct WeightSource::Data {
  struct Weight {
    const TensorInfo* tensor = nullptr;
    NameTransform transform = NameTransform::none;
    int slice = 0, slices = 1;  // which share of the rows, of how many
    bool squeeze = false;       // [out, in, 1, 1] stands for [out, in]
  };
  using Part = std::map<std::string, Weight, std::less<>>;

  fs::path path;
  bool single = false;
  std::deque<SafetensorsFile> files;  // a deque: TensorInfo pointers outlive its growth
  std::array<Part, 4> parts;
  std::array<std::optional<nlohmann::json>, 4> configs;
  std::optional<nlohmann::json> scheduler;
  std::array<std::optional<fs::path>, 4> tokenizers;
  std::map<std::string, std::string> metadata;
  UnetLayout layout;
  std::vector<std::string> ignored, unknown;

  Part& part(ModelPart p) { return parts[static_cast<std::size_t>(p)]; }
  const Part& part(ModelPart p) const { return parts[static_cast<std::size_t>(p)]; }

  void add(ModelPart p, const std::string& name, const Weight& weight, const std::string& file) {
    if (!part(p).emplace(name, weight).second) {
      throw Error("'" + file + "': two tensors stand for the " + std::string(part_name(p)) +
                  " weight '" + name + "' (one of them is '" + weight.tensor->name + "')");
    }
  }
  void add_mapped(ModelPart p, const NameMapping& mapping, const TensorInfo& tensor,
                  const std::string& file) {
    const int count = static_cast<int>(mapping.names.size());
    for (int i = 0; i < count; ++i) {
      add(p, mapping.names[static_cast<std::size_t>(i)], {&tensor, mapping.transform, i, count},
          file);
    }
    if (mapping.transform == NameTransform::dropped) {
      ignored.push_back(tensor.name);
    }
  }
  void add_pixart(const TensorInfo& tensor, bool original, const std::string& file);
  void open_file(const fs::path& file);
  void open_folder(const fs::path& folder);
  void open_part(ModelPart p, const fs::path& folder);
  void add_single(const TensorInfo& tensor, int vae_levels);
  void read_embedded_config();
};

void WeightSource::Data::add_single(const TensorInfo& tensor, int vae_levels) {
  const std::string_view name = tensor.name;
  const std::string& file = files.front().label();
  if (is_harmless(name)) {
    ignored.push_back(tensor.name);
    return;
  }
  const auto below = [&](std::string_view prefix) {
    return name.starts_with(prefix) ? std::optional(name.substr(prefix.size())) : std::nullopt;
  };
  if (const auto rest = below(ldm_prefix(ModelPart::unet))) {
    if (const auto canonical = unet_to_diffusers(*rest, layout)) {
      return add(ModelPart::unet, *canonical, {&tensor}, file);
    }
  } else if (const auto vae = below(ldm_prefix(ModelPart::vae))) {
    if (const auto canonical = vae_to_diffusers(*vae, vae_levels)) {
      const bool matrix = canonical->find(".attentions.") != std::string::npos &&
                          tensor.dims.size() == 4 && tensor.dims[2] == 1 && tensor.dims[3] == 1;
      return add(ModelPart::vae, *canonical, {.tensor = &tensor, .squeeze = matrix}, file);
    }
  } else if (const auto te2 = below(ldm_prefix(ModelPart::te2))) {
    if (const auto mapping = openclip_to_hf(*te2)) {
      return add_mapped(ModelPart::te2, *mapping, tensor, file);
    }
  } else {
    if (const auto openclip = below(kSd2TextPrefix)) {
      if (const auto mapping = openclip_to_hf(*openclip)) {
        return add_mapped(ModelPart::te1, *mapping, tensor, file);
      }
    }
    auto te1 = below(ldm_prefix(ModelPart::te1));
    te1 = te1 ? te1 : below(kSd15TextPrefix);
    if (te1) {
      const std::string canonical = with_text_model(*te1);
      if (canonical.starts_with("text_model.")) {
        return add(ModelPart::te1, canonical, {&tensor}, file);
      }
      if (canonical == "text_projection.weight") {  // present in some files, used by none
        ignored.push_back(tensor.name);
        return;
      }
    }
  }
  unknown.push_back(tensor.name);
}

// A PixArt transformer, in its authors' naming or in that of diffusers.
void WeightSource::Data::add_pixart(const TensorInfo& tensor, bool original,
                                    const std::string& file) {
  if (!original) {
    return add(ModelPart::unet, tensor.name, {.tensor = &tensor}, file);
  }
  if (const auto mapping = pixart_to_diffusers(tensor.name)) {
    return add_mapped(ModelPart::unet, *mapping, tensor, file);
  }
  unknown.push_back(tensor.name);
}

void WeightSource::Data::read_embedded_config() {
  const auto found = metadata.find("mantissa.config");
  if (found == metadata.end()) {
    return;
  }
  const std::string label = "'" + files.front().label() + "': metadata key mantissa.config";
  const nlohmann::json json = parse_json(found->second, label);
  if (!json.is_object()) {
    throw Error(label + " must be a JSON object");
  }
  for (const auto& [key, value] : json.items()) {
    if (!value.is_object()) {
      throw Error(label + ": '" + key + "' must be an object");
    }
    if (key == "scheduler") {
      scheduler = value;
      continue;
    }
    for (ModelPart p : kParts) {
      if (key == part_name(p)) {
        configs[static_cast<std::size_t>(p)] = value;
      }
    }
  }
}

void WeightSource::Data::open_file(const fs::path& file) {
  single = true;
  files.push_back(SafetensorsFile::open(file));
  const SafetensorsFile& opened = files.front();
  metadata = opened.metadata();
  std::vector<std::string> unet_names, vae_names;
  for (const TensorInfo& tensor : opened.tensors()) {
    if (tensor.name.starts_with(ldm_prefix(ModelPart::unet))) {
      unet_names.push_back(tensor.name.substr(ldm_prefix(ModelPart::unet).size()));
    } else if (tensor.name.starts_with(ldm_prefix(ModelPart::vae))) {
      vae_names.push_back(tensor.name.substr(ldm_prefix(ModelPart::vae).size()));
    }
  }
  const bool original = holds_original_pixart(opened);
  if (original || opened.find(kPixartMark) != nullptr) {
    for (const TensorInfo& tensor : opened.tensors()) {
      add_pixart(tensor, original, opened.label());
    }
    read_embedded_config();
    return;
  }
  layout = unet_layout_from_ldm(unet_names);
  const int vae_levels = vae_levels_from_ldm(vae_names);
  for (const TensorInfo& tensor : opened.tensors()) {
    add_single(tensor, vae_levels);
  }
  if (part(ModelPart::unet).empty() && part(ModelPart::vae).empty()) {
    const bool adapter =
        std::any_of(opened.tensors().begin(), opened.tensors().end(),
                    [](const TensorInfo& t) { return t.name.find("lora_") != std::string::npos; });
    throw Error("'" + opened.label() + "' is not a base model: " +
                (adapter ? "it is an adapter (LoRA); pass it with --lora and give a checkpoint as "
                           "the base"
                         : "no tensor starts with 'model.diffusion_model.'; pass a full SDXL or "
                           "SD 1.5 checkpoint, or a diffusers folder"));
  }
  read_embedded_config();
  std::sort(ignored.begin(), ignored.end());
  std::sort(unknown.begin(), unknown.end());
}

namespace {

// The weight files of one part: an index of shards, or a single file, full precision preferred.
std::vector<fs::path> weight_files(const fs::path& folder,
                                   std::map<std::string, std::string>& shards) {
  std::vector<fs::path> indices, plain, variants, pickles;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = path_to_utf8(entry.path().filename());
    if (name.ends_with(".safetensors.index.json")) {
      indices.push_back(entry.path());
    } else if (name.ends_with(".safetensors")) {
      const std::string stem = name.substr(0, name.size() - 12);
      const bool shard = stem.find("-of-") != std::string::npos;
      if (!shard) {
        (stem.find('.') == std::string::npos ? plain : variants).push_back(entry.path());
      }
    } else if (ends_with_any(name, {".bin", ".pt", ".ckpt"})) {
      pickles.push_back(entry.path());
    }
  }
  for (auto* list : {&indices, &plain, &variants}) {
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
    throw Error(where + " holds several weight files (" + path_to_utf8(plain[0].filename()) + ", " +
                path_to_utf8(plain[1].filename()) + "); keep one");
  }
  if (indices.empty()) {
    throw Error(where +
                (pickles.empty()
                     ? " holds no .safetensors file; the model is incomplete, get it again"
                     : " holds only pickle weights (" + path_to_utf8(pickles[0].filename()) +
                           "), which can run any program when opened and are never read; "
                           "get the .safetensors version or convert them"));
  }
  const nlohmann::json index = read_json(indices.front());
  const std::string label = "'" + path_to_utf8(indices.front()) + "'";
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object()) {
    throw Error(label + " has no object 'weight_map'; get the model again");
  }
  std::set<std::string> names;
  for (const auto& [tensor, file] : index["weight_map"].items()) {
    if (!file.is_string()) {
      throw Error(label + ": the shard of '" + tensor + "' must be a file name");
    }
    const auto name = file.get<std::string>();
    // A shard lies beside its index; anything else could reach files the user never meant.
    if (name.empty() || name == "." || name == ".." ||
        name.find_first_of("/\\:") != std::string::npos || !name.ends_with(".safetensors")) {
      throw Error(label + ": the shard name '" + name.substr(0, 200) +
                  "' is not the name of a .safetensors file in the same folder");
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

void WeightSource::Data::open_part(ModelPart p, const fs::path& folder) {
  if (fs::exists(folder / "config.json")) {
    configs[static_cast<std::size_t>(p)] = read_json(folder / "config.json");
  }
  std::map<std::string, std::string> shards;
  std::size_t found = 0;
  const TensorInfo* tied = nullptr;  // T5's shared.weight under its other name
  for (const fs::path& file : weight_files(folder, shards)) {
    files.push_back(SafetensorsFile::open(file));
    const SafetensorsFile& opened = files.back();
    const bool original = p == ModelPart::unet && holds_original_pixart(opened);
    for (const TensorInfo& tensor : opened.tensors()) {
      if (!shards.empty()) {
        const auto shard = shards.find(tensor.name);
        if (shard == shards.end() || shard->second != path_to_utf8(file.filename())) {
          throw Error("'" + opened.label() + "': tensor '" + tensor.name +
                      "' is not listed for this shard in the folder's index; get the model again");
        }
        ++found;
      }
      if (is_harmless(tensor.name)) {
        ignored.push_back(std::string(part_folder(p)) + "." + tensor.name);
        continue;
      }
      if (original) {
        add_pixart(tensor, true, opened.label());
        continue;
      }
      if (tensor.name == "encoder.embed_tokens.weight") {
        tied = &tensor;
        continue;
      }
      const bool text = p == ModelPart::te1 || p == ModelPart::te2;
      const std::string name = text                  ? with_text_model(tensor.name)
                               : p == ModelPart::vae ? with_new_attention(tensor.name)
                                                     : tensor.name;
      const bool known =
          text ? name.starts_with("text_model.") || name == "text_projection.weight" || is_t5(name)
               : true;
      if (!known) {
        unknown.push_back(std::string(part_folder(p)) + "." + tensor.name);
        continue;
      }
      const bool matrix = p == ModelPart::vae && name.find(".attentions.") != std::string::npos &&
                          tensor.dims.size() == 4 && tensor.dims[2] == 1 && tensor.dims[3] == 1;
      add(p, name, {.tensor = &tensor, .squeeze = matrix}, opened.label());
    }
  }
  if (tied != nullptr && part(p).contains("shared.weight")) {
    ignored.push_back(std::string(part_folder(p)) + "." + tied->name);
  } else if (tied != nullptr) {
    add(p, "shared.weight", {.tensor = tied}, path_to_utf8(folder));
  }
  if (found != shards.size()) {
    throw Error("'" + path_to_utf8(folder) + "': the index lists " + std::to_string(shards.size()) +
                " tensors, the shards hold " + std::to_string(found) +
                " of them; a shard is missing or incomplete, get the model again");
  }
}

void WeightSource::Data::open_folder(const fs::path& folder) {
  const std::string where = "'" + path_to_utf8(folder) + "'";
  const bool transformer = fs::is_directory(folder / "transformer");
  if (!fs::is_directory(folder / "unet") && !transformer && !fs::is_directory(folder / "vae")) {
    throw Error(where +
                " is no diffusers model: it has neither unet/, transformer/ nor vae/; pass a "
                "diffusers folder or one .safetensors checkpoint");
  }
  for (ModelPart p : kParts) {
    const fs::path below =
        folder / (p == ModelPart::unet && transformer ? "transformer" : part_folder(p));
    if (fs::is_directory(below)) {
      open_part(p, below);
    }
  }
  if (fs::exists(folder / "scheduler" / "scheduler_config.json")) {
    scheduler = read_json(folder / "scheduler" / "scheduler_config.json");
  }
  for (const auto& [p, name] :
       {std::pair{ModelPart::te1, "tokenizer"}, std::pair{ModelPart::te2, "tokenizer_2"}}) {
    if (fs::exists(folder / name / "vocab.json") || fs::exists(folder / name / "tokenizer.json") ||
        fs::exists(folder / name / "spiece.model")) {
      tokenizers[static_cast<std::size_t>(p)] = folder / name;
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, weight] : part(ModelPart::unet)) {
    names.push_back(name);
  }
  layout = unet_layout_from_diffusers(names);
  std::sort(ignored.begin(), ignored.end());
  std::sort(unknown.begin(), unknown.end());
}

WeightSource WeightSource::open(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw Error("the base model '" + path_to_utf8(path) +
                "' does not exist; pass a .safetensors checkpoint or a diffusers folder");
  }
  auto data = std::make_shared<Data>();
  data->path = path;
  if (fs::is_directory(status)) {
    data->open_folder(path);
  } else {
    data->open_file(path);
  }
  WeightSource source;
  source.data_ = std::move(data);
  return source;
}

ModelFamily WeightSource::family() const {
  if (contains(ModelPart::unet, kPixartMark)) {
    return ModelFamily::pixart;
  }
  return contains(ModelPart::unet, "add_embedding.linear_1.weight") || has_part(ModelPart::te2)
             ? ModelFamily::sdxl
             : ModelFamily::sd15;
}

bool WeightSource::has_part(ModelPart part) const {
  return !data_->part(part).empty();
}

std::vector<std::string> WeightSource::names(ModelPart part) const {
  std::vector<std::string> names;
  for (const auto& [name, weight] : data_->part(part)) {
    names.push_back(name);
  }
  return names;
}

bool WeightSource::contains(ModelPart part, std::string_view name) const {
  return data_->part(part).find(name) != data_->part(part).end();
}

WeightView WeightSource::view(ModelPart part, std::string_view name) const {
  const auto& weights = data_->part(part);
  const auto found = weights.find(name);
  const std::string label = std::string(part_name(part)) + " weight '" + std::string(name) + "'";
  if (found == weights.end()) {
    throw Error("'" + path_to_utf8(data_->path) + "' lacks the " + label +
                (weights.empty() ? " (the whole part is missing)" : "") +
                "; the checkpoint is incomplete or of another architecture");
  }
  const Data::Weight& weight = found->second;
  if (!weight.tensor->type) {
    throw Error("'" + path_to_utf8(data_->path) + "': the " + label + " is stored as " +
                weight.tensor->dtype +
                ", which can't be used; convert the checkpoint to BF16, "
                "F16 or F32");
  }
  WeightView view;
  view.dtype = *weight.tensor->type;
  view.data = weight.tensor->data;
  view.shape = weight.tensor->shape();
  if (weight.squeeze) {
    view.shape = Shape{view.shape[0], view.shape[1]};
  } else if (weight.transform == NameTransform::split_rows) {
    if (view.shape.rank() == 0 || view.shape[0] % weight.slices != 0) {
      throw Error("'" + path_to_utf8(data_->path) + "': tensor '" + weight.tensor->name +
                  "' must hold " + std::to_string(weight.slices) +
                  " projections in equal shares of its rows; its shape is " + view.shape.str());
    }
    view.shape[0] /= weight.slices;
    view.data +=
        static_cast<std::size_t>(view.shape.count() * weight.slice) * dtype_size(view.dtype);
  } else if (weight.transform == NameTransform::transpose) {
    if (view.shape.rank() != 2) {
      throw Error("'" + path_to_utf8(data_->path) + "': tensor '" + weight.tensor->name +
                  "' must be a matrix; its shape is " + view.shape.str());
    }
    view.shape = Shape{view.shape[1], view.shape[0]};
    view.transposed = true;
  }
  return view;
}

void WeightSource::read_as(ModelPart part, std::string_view name, DType dtype, void* out) const {
  convert_weight(view(part, name), dtype, out,
                 "'" + path_to_utf8(data_->path) + "': the " + std::string(part_name(part)) +
                     " weight '" + std::string(name) + "'");
}

void WeightSource::read_f32(ModelPart part, std::string_view name, std::span<float> out) const {
  const Shape wanted = shape(part, name);
  if (static_cast<std::int64_t>(out.size()) != wanted.count()) {
    throw Error("the " + std::string(part_name(part)) + " weight '" + std::string(name) + "' has " +
                std::to_string(wanted.count()) + " elements " + wanted.str() + ", the target " +
                std::to_string(out.size()));
  }
  read_as(part, name, DType::f32, out.data());
}

std::optional<nlohmann::json> WeightSource::config(ModelPart part) const {
  return data_->configs[static_cast<std::size_t>(part)];
}
std::optional<nlohmann::json> WeightSource::scheduler_config() const {
  return data_->scheduler;
}
std::optional<fs::path> WeightSource::tokenizer_folder(ModelPart part) const {
  return data_->tokenizers[static_cast<std::size_t>(part)];
}
const std::map<std::string, std::string>& WeightSource::metadata() const {
  return data_->metadata;
}
const UnetLayout& WeightSource::unet_layout() const {
  return data_->layout;
}
bool WeightSource::single_file() const {
  return data_->single;
}
const fs::path& WeightSource::path() const {
  return data_->path;
}

std::vector<fs::path> WeightSource::files() const {
  std::vector<fs::path> files;
  for (const SafetensorsFile& file : data_->files) {
    files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

const std::vector<std::string>& WeightSource::ignored() const {
  return data_->ignored;
}
const std::vector<std::string>& WeightSource::unknown() const {
  return data_->unknown;
}

bool WeightSource::has_marker(std::string_view name) const {
  return is_marker(name) && std::binary_search(data_->ignored.begin(), data_->ignored.end(), name);
}

}  // namespace mantissa
