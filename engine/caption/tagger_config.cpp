#include "engine/caption/tagger_config.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/json_file.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Tensors of the weights, whose shapes give the network's.
class Shapes {
 public:
  explicit Shapes(const SafetensorsFile& weights) : weights_(weights) {}
  bool has(const std::string& name) const { return weights_.find(name) != nullptr; }
  std::int64_t side(const std::string& name, std::size_t dimension) const {
    const TensorInfo* tensor = weights_.find(name);
    if (tensor == nullptr || tensor->dims.size() <= dimension) {
      throw Error(
          message<
              "'{file}' is no tagger that is read here: it has no tensor {tensor}. Taggers of the "
              "kinds ViT and EVA-02 under timm's names are read, such as wd-vit-tagger-v3 and "
              "wd-eva02-large-tagger-v3">(weights_.label(), name));
    }
    return tensor->dims[dimension];
  }
  int layers() const {
    int count = 0;
    while (has("blocks." + std::to_string(count) + ".norm1.weight")) {
      ++count;
    }
    return count;
  }

 private:
  const SafetensorsFile& weights_;
};

/// config.json of timm's hub: what `model_args` or the top level says, in this order.
class HubConfig {
 public:
  HubConfig(Json json, std::string label) : json_(std::move(json)), label_(std::move(label)) {}
  const Json* find(const char* key) const {
    for (const Json* at : {json_.contains("model_args") ? &json_["model_args"] : nullptr, &json_}) {
      if (at != nullptr && at->is_object() && at->contains(key) && !(*at)[key].is_null()) {
        return &(*at)[key];
      }
    }
    return nullptr;
  }
  std::string text(const char* key, const std::string& otherwise) const {
    const Json* value = find(key);
    return value == nullptr ? otherwise
                            : require(value->is_string(), key, *value).get<std::string>();
  }
  /// A number, or the first of a list.
  int number(const char* key, int otherwise) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return otherwise;
    }
    const Json& one = value->is_array() && !value->empty() ? value->front() : *value;
    constexpr int kMost = 65536;
    require(one.is_number_integer() && one > 0 && one <= kMost, key, *value);
    return one.get<int>();
  }
  /// Three numbers of `pretrained_cfg`.
  void channels(const char* key, float (&values)[3]) const {
    const Json* preprocessing = find("pretrained_cfg");
    if (preprocessing == nullptr || !preprocessing->contains(key)) {
      return;
    }
    const Json& list = (*preprocessing)[key];
    require(list.is_array() && list.size() == 3 && list[0].is_number() && list[1].is_number() &&
                list[2].is_number(),
            key, list);
    for (std::size_t c = 0; c < 3; ++c) {
      values[c] = list[c].get<float>();
    }
  }
  [[noreturn]] void refuse(const char* key, const Json& value) const {
    throw Error(
        message<"'{file}': {key} is {value}, which isn't read here">(label_, key, value.dump()));
  }

 private:
  const Json& require(bool holds, const char* key, const Json& value) const {
    if (!holds) {
      refuse(key, value);
    }
    return value;
  }
  Json json_;
  std::string label_;
};

HubConfig hub_config(const SafetensorsFile& weights) {
  const std::filesystem::path file = weights.path().parent_path() / "config.json";
  return {std::filesystem::exists(file) ? read_json(file) : Json::object(), path_to_utf8(file)};
}

Unary activation_of(const HubConfig& hub) {
  const std::string name = hub.text("act_layer", "gelu");
  if (name == "gelu_tanh") {
    return Unary::gelu_tanh;
  }
  if (name == "quick_gelu") {
    return Unary::gelu_quick;
  }
  if (name != "gelu") {
    hub.refuse("act_layer", name);
  }
  return Unary::gelu_erf;
}

}  // namespace

TaggerConfig tagger_config(const SafetensorsFile& weights) {
  const Shapes shapes(weights);
  const HubConfig hub = hub_config(weights);
  TaggerConfig c;
  c.width = static_cast<int>(shapes.side("patch_embed.proj.weight", 0));
  c.patch = static_cast<int>(shapes.side("patch_embed.proj.weight", 3));
  c.tags = static_cast<int>(shapes.side("head.weight", 0));
  c.layers = shapes.layers();
  c.eva = shapes.has("blocks.0.mlp.fc1_g.weight");
  shapes.side(c.eva ? "blocks.0.attn.q_proj.weight" : "blocks.0.attn.qkv.weight", 0);
  c.hidden = static_cast<int>(
      shapes.side(c.eva ? "blocks.0.mlp.fc1_g.weight" : "blocks.0.mlp.fc1.weight", 0));
  c.prefix = (shapes.has("cls_token") ? 1 : 0) +
             (shapes.has("reg_token") ? static_cast<int>(shapes.side("reg_token", 1)) : 0);
  const auto positions = static_cast<int>(shapes.side("pos_embed", 1));
  const auto root = [](int count) { return static_cast<int>(std::lround(std::sqrt(count))); };
  c.prefix_placed = root(positions) * root(positions) != positions || c.prefix == 0;
  const int patches = positions - (c.prefix_placed ? c.prefix : 0);
  c.side = root(patches) * c.patch;
  c.heads = hub.number("num_heads", std::max(1, c.width / 64));
  c.reference = hub.number("ref_feat_shape", 16);
  const std::string pool = hub.text("global_pool", "avg");
  c.pools_mean = pool == "avg";
  c.activation = activation_of(hub);
  hub.channels("mean", c.input.mean);
  hub.channels("std", c.input.deviation);
  if (root(patches) * root(patches) != patches || c.width % c.heads != 0 ||
      c.head_width() % 4 != 0 || c.layers == 0) {
    throw Error(
        message<"'{file}' has positions of {positions} tokens of {width} channels in {heads} "
                "heads, which make no square of patches">(weights.label(), positions, c.width,
                                                          c.heads));
  }
  if (!c.pools_mean && (pool != "token" || c.prefix == 0)) {
    hub.refuse("global_pool", pool);
  }
  return c;
}

std::filesystem::path tagger_weights(const std::filesystem::path& folder) {
  if (std::filesystem::is_regular_file(folder)) {
    return folder;
  }
  const std::filesystem::path file = folder / "model.safetensors";
  if (!std::filesystem::exists(file)) {
    throw Error(
        std::filesystem::exists(folder / "model.onnx")
            ? message<"'{folder}' has the tagger's model.onnx alone; put its model.safetensors and "
                      "config.json beside it">(path_to_utf8(folder))
            : message<"'{folder}' holds no tagger: model.safetensors, config.json and "
                      "selected_tags.csv are expected, as their authors publish them">(
                  path_to_utf8(folder)));
  }
  return file;
}

}  // namespace mantissa
