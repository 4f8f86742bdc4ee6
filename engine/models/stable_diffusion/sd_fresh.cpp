#include "engine/models/stable_diffusion/sd_fresh.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/io/part_names.h"
#include "engine/models/clip/clip_text.h"
#include "engine/models/stable_diffusion/unet.h"
#include "engine/models/vae/vae.h"

namespace mantissa {
namespace {

Draw clip_draw(const FreshTensor& tensor, const ClipConfig& c, double embedding_deviation) {
  if (tensor.norm) {
    return {Draw::Kind::constant, tensor.bias ? 0.0 : 1.0};
  }
  if (tensor.bias) {
    return {};
  }
  const std::string module = tensor.module();
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

}  // namespace

FreshRule fresh_sd(WeightStore& store, Part part, const nlohmann::json& config) {
  const std::string label = std::string(part_folder(part)) + "/config.json";
  const Scope scope(store, nullptr, part);
  if (part == kDenoiser) {
    Unet(unet_config_from_json(config, label), scope);
    return torch_draw;
  }
  if (part == kVae) {
    Vae(vae_config_from_json(config, label), scope);
    return torch_draw;
  }
  const ClipConfig clip = clip_config_from_json(config, part, label);
  ClipText(clip, scope);
  return [clip, deviation = config.value("initializer_range", 0.02)](const FreshTensor& tensor) {
    return clip_draw(tensor, clip, deviation);
  };
}

}  // namespace mantissa
