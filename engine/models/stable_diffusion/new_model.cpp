#include "engine/models/stable_diffusion/new_model.h"

#include <cmath>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/random.h"
#include "engine/io/json_file.h"
#include "engine/io/part_names.h"
#include "engine/models/clip/clip_text.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/models/stable_diffusion/unet.h"
#include "engine/models/vae/vae.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

/// How one tensor's first values are drawn.
struct Draw {
  enum class Kind { constant, uniform, normal } kind = Kind::constant;
  double size = 0;  ///< the constant, the bound, or the deviation
};

std::vector<float> drawn(const Draw& draw, std::int64_t count, const RandomKey& key) {
  std::vector<float> values(static_cast<std::size_t>(count), static_cast<float>(draw.size));
  if (draw.kind == Draw::Kind::constant) {
    return values;
  }
  for (std::int64_t i = 0; i < count; i += 4) {
    const auto words = random_block(key, static_cast<std::uint32_t>(i / 4));
    std::array<float, 4> four{};
    for (std::size_t j = 0; j < 4; j += 2) {
      if (draw.kind == Draw::Kind::normal) {
        const auto [first, second] = normal_pair(words[j], words[j + 1]);
        four[j] = first;
        four[j + 1] = second;
      } else {
        four[j] = 2.0F * uniform_from_bits(words[j]) - 1.0F;
        four[j + 1] = 2.0F * uniform_from_bits(words[j + 1]) - 1.0F;
      }
    }
    for (std::int64_t j = i; j < std::min(i + 4, count); ++j) {
      values[static_cast<std::size_t>(j)] =
          static_cast<float>(draw.size) * four[static_cast<std::size_t>(j - i)];
    }
  }
  return values;
}

bool is_norm(const WeightStore& store, const std::string& module) {
  return store.modules().contains({module, ModuleKind::norm});
}

/// torch's defaults. `fan_in` is that of the module's weight.
Draw torch_draw(bool norm, bool bias, std::int64_t fan_in) {
  if (norm) {
    return {Draw::Kind::constant, bias ? 0.0 : 1.0};
  }
  return {Draw::Kind::uniform, 1 / std::sqrt(static_cast<double>(fan_in))};
}

/// transformers' rule for CLIP text encoders.
Draw clip_draw(const std::string& module, bool norm, bool bias, const ClipConfig& c,
               double embedding_deviation) {
  if (norm) {
    return {Draw::Kind::constant, bias ? 0.0 : 1.0};
  }
  if (bias) {
    return {};
  }
  const auto ends = [&](std::string_view end) { return module.ends_with(end); };
  const double width = c.hidden;
  if (ends("_embedding")) {
    return {Draw::Kind::normal, embedding_deviation};
  }
  if (ends("out_proj") || ends("text_projection")) {
    return {Draw::Kind::normal, 1 / std::sqrt(width)};
  }
  if (ends("fc1")) {
    return {Draw::Kind::normal, 1 / std::sqrt(2 * width)};
  }
  return {Draw::Kind::normal, 1 / std::sqrt(2 * c.layers * width)};
}

void bind(WeightStore& store, Part part, const nlohmann::json& config) {
  const std::string label = std::string(part_folder(part)) + "/config.json";
  const Scope scope(store, nullptr, part);
  if (part == kDenoiser) {
    Unet(unet_config_from_json(config, label), scope);
  } else if (part == kVae) {
    Vae(vae_config_from_json(config, label), scope);
  } else {
    ClipText(clip_config_from_json(config, part, label), scope);
  }
}

std::vector<ModelTensor> random_part(Part part, const nlohmann::json& config,
                                     const NewModel& wanted) {
  WeightStore store = WeightStore::planning();
  bind(store, part, config);
  const std::vector<std::pair<std::string, Shape>> bound = store.bound();
  std::map<std::string, std::int64_t> fan_in;  // by module
  const auto module_of = [](const std::string& path) { return path.substr(0, path.rfind('.')); };
  for (const auto& [path, shape] : bound) {
    if (shape.rank() > 1) {
      fan_in[module_of(path)] = shape.count() / shape[0];
    }
  }
  const bool text = is_text(part);
  std::optional<ClipConfig> clip;
  double embedding_deviation = 0;
  if (text) {
    embedding_deviation = config.value("initializer_range", 0.02);
    clip = clip_config_from_json(config, part, std::string(part_folder(part)) + "/config.json");
  }
  std::vector<ModelTensor> tensors;
  for (const auto& [path, shape] : bound) {
    const std::string module = module_of(path);
    const bool norm = is_norm(store, module), bias = path.ends_with(".bias");
    const Draw draw = clip ? clip_draw(module, norm, bias, *clip, embedding_deviation)
                           : torch_draw(norm, bias, fan_in[module]);
    // A separate stream per tensor, independent of the writing order.
    const RandomKey key =
        random_key(wanted.seed, RandomStream::init, 1 + stream_of(part), tensors.size());
    ModelTensor tensor{path.substr(path.find('.') + 1), wanted.dtype, shape, {}};
    tensor.fill = [draw, key, count = shape.count(),
                   dtype = wanted.dtype](std::span<std::byte> out) {
      const std::vector<float> values = drawn(draw, count, key);
      dispatch_float(dtype, [&]<typename T>() {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const T value = static_cast<T>(values[i]);
          std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T));
        }
      });
    };
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

/// The configs of a folder, which needs no weights.
ModelContents configs_of(const fs::path& like) {
  ModelContents model;
  if (!fs::is_directory(like)) {
    const ModelContents whole = model_contents(WeightSource::open(like));
    model.configs = whole.configs;
    model.scheduler = whole.scheduler;
    return model;
  }
  for (const PartFiles& files : kSdxl.parts) {
    const fs::path config = like / files.folder / "config.json";
    if (fs::exists(config)) {
      model.configs[files.part] = read_json(config);
    }
    if (!files.tokenizer.empty() && fs::is_directory(like / files.tokenizer)) {
      model.tokenizers[files.part] = like / files.tokenizer;
    }
  }
  if (const fs::path file = like / "scheduler" / "scheduler_config.json"; fs::exists(file)) {
    model.scheduler = read_json(file);
  }
  return model;
}

}  // namespace

ModelContents new_model(const NewModel& wanted) {
  ModelContents model = configs_of(wanted.like);
  if (wanted.vae) {
    const ModelContents given = model_contents(WeightSource::open(*wanted.vae), wanted.dtype);
    if (!given.parts.contains(kVae)) {
      throw Error(
          message<"{path} holds no VAE; give a complete base model">(path_to_utf8(*wanted.vae)));
    }
    model.parts[kVae] = given.parts.at(kVae);
    model.configs[kVae] = given.configs.at(kVae);
  }
  for (Part part : {kDenoiser, kTe1, kVae}) {
    if (!model.configs.contains(part)) {
      throw Error(
          message<"{path} has no {part}/config.json; a new model needs unet, text_encoder (and "
                  "text_encoder_2) and vae">(path_to_utf8(wanted.like), part_folder(part)));
    }
  }
  for (const auto& [part, config] : model.configs) {
    if (!model.parts.contains(part)) {
      model.parts[part] = random_part(part, config, wanted);
    }
  }
  const UnetConfig unet = unet_config_from_json(model.configs.at(kDenoiser), "unet");
  model.family = unet.addition_time_embed_dim > 0 ? &kSdxl : &kSd15;
  return model;
}

}  // namespace mantissa
