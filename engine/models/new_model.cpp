#include "engine/models/new_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/random.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"
#include "engine/models/fresh_weights.h"
#include "engine/nn/weight_store.h"

namespace mantissa {
namespace fs = std::filesystem;

Draw torch_draw(const FreshTensor& tensor) {
  if (tensor.norm) {
    return {Draw::Kind::constant, tensor.bias ? 0.0 : 1.0};
  }
  return {Draw::Kind::uniform, 1 / std::sqrt(static_cast<double>(tensor.fan_in))};
}

namespace {

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

/// The tensors that a network asked `store` for.
std::vector<FreshTensor> fresh_tensors(const WeightStore& store) {
  std::map<std::string, std::int64_t> fan_in;  // by module
  std::vector<FreshTensor> tensors;
  for (const auto& [path, shape] : store.bound()) {
    FreshTensor& tensor = tensors.emplace_back(FreshTensor{.path = path});
    tensor.norm = store.modules().contains({tensor.module(), ModuleKind::norm});
    tensor.bias = path.ends_with(".bias");
    if (shape.rank() > 1) {
      fan_in[tensor.module()] = shape.count() / shape[0];
    }
  }
  for (FreshTensor& tensor : tensors) {
    const auto found = fan_in.find(tensor.module());
    tensor.fan_in = found == fan_in.end() ? 0 : found->second;
  }
  return tensors;
}

std::vector<ModelTensor> random_part(const Family& family, Part part, const nlohmann::json& config,
                                     const NewModel& wanted) {
  WeightStore store = WeightStore::planning();
  const FreshRule rule = family.fresh(store, part, config);
  const std::vector<std::pair<std::string, Shape>> bound = store.bound();
  const std::vector<FreshTensor> fresh = fresh_tensors(store);
  std::vector<ModelTensor> tensors;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const auto& [path, shape] = bound[i];
    // A separate stream per tensor, independent of the writing order.
    const RandomKey key = random_key(wanted.seed, RandomStream::init, 1 + stream_of(part), i);
    ModelTensor tensor{std::string(split_path(path).below), wanted.dtype, shape, {}};
    tensor.fill = [draw = rule(fresh[i]), key, count = shape.count(),
                   dtype = wanted.dtype](std::span<std::byte> out) {
      const std::vector<float> values = drawn(draw, count, key);
      dispatch_float(dtype, [&]<typename T>() {
        for (std::size_t k = 0; k < values.size(); ++k) {
          const T value = static_cast<T>(values[k]);
          std::memcpy(out.data() + k * sizeof(T), &value, sizeof(T));
        }
      });
    };
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

/// The configs that a folder has of this family's parts.
ModelContents configs_of(const fs::path& folder, const Family& family) {
  ModelContents model;
  model.family = &family;
  for (const PartFiles& files : family.parts) {
    const fs::path config = folder / files.folder / "config.json";
    if (fs::exists(config)) {
      model.configs[files.part] = read_json(config);
    }
    if (!files.tokenizer.empty() && fs::is_directory(folder / files.tokenizer)) {
      model.tokenizers[files.part] = folder / files.tokenizer;
    }
  }
  if (const fs::path file = folder / "scheduler" / "scheduler_config.json"; fs::exists(file)) {
    model.scheduler = read_json(file);
  }
  return model;
}

/// The first part that has no config; the VAE may come from elsewhere.
const PartFiles* missing_config(const ModelContents& model, bool has_vae) {
  for (const PartFiles& files : model.family->parts) {
    if (!model.configs.contains(files.part) && !(has_vae && files.part == kVae)) {
      return &files;
    }
  }
  return nullptr;
}

/// Whether a folder's denoiser is of this family's class.
bool has_denoiser(const ModelContents& model) {
  const auto config = model.configs.find(kDenoiser);
  return config != model.configs.end() &&
         config->second.value("_class_name", "") == model.family->parts.front().model.name;
}

/// Its configs, in those of a family of which they are complete. Throws Error naming what is
/// missing from the family that fits best.
ModelContents folder_configs(const fs::path& folder, bool has_vae) {
  const PartFiles* missing = nullptr;
  std::vector<Message> offered;
  for (const Family* family : families()) {
    if (family->fresh == nullptr) {
      continue;
    }
    offered.push_back(Message::verbatim(std::string(family->title())));
    ModelContents model = configs_of(folder, *family);
    if (!has_denoiser(model)) {
      continue;
    }
    const PartFiles* lacks = missing_config(model, has_vae);
    if (lacks == nullptr) {
      return model;
    }
    missing = lacks;
  }
  if (missing != nullptr) {
    throw Error(message<"{path} has no {part}/config.json, which a new model needs">(
        path_to_utf8(folder), missing->folder));
  }
  throw Error(
      message<
          "{path} has no config.json of a denoiser of which new models can be made: {families}">(
          path_to_utf8(folder), joined<", ">(std::move(offered))));
}

ModelContents configs_like(const fs::path& like, bool has_vae) {
  if (fs::is_directory(like)) {
    return folder_configs(like, has_vae);
  }
  ModelContents whole = model_contents(WeightSource::open(like));
  if (whole.family->fresh == nullptr) {
    throw Error(message<"{path} is a model of {family}, of which no new ones can be made">(
        path_to_utf8(like), whole.family->title()));
  }
  whole.parts.clear();
  whole.extras.clear();
  whole.markers.clear();
  return whole;
}

}  // namespace

ModelContents new_model(const NewModel& wanted) {
  ModelContents model = configs_like(wanted.like, wanted.vae.has_value());
  if (wanted.vae) {
    const ModelContents given = model_contents(WeightSource::open(*wanted.vae), wanted.dtype);
    if (!given.parts.contains(kVae)) {
      throw Error(
          message<"{path} holds no VAE; give a complete base model">(path_to_utf8(*wanted.vae)));
    }
    model.parts[kVae] = given.parts.at(kVae);
    model.configs[kVae] = given.configs.at(kVae);
  }
  for (const auto& [part, config] : model.configs) {
    if (!model.parts.contains(part)) {
      model.parts[part] = random_part(*model.family, part, config, wanted);
    }
  }
  return model;
}

}  // namespace mantissa
