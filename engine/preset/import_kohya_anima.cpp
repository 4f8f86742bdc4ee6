// Facts about sd-scripts' scripts for Anima behind these rules: they draw noise levels by the
// sigmoid of a normal and shift by 1 unless told otherwise; the rates of kinds of layers are read
// where the model's own weights are trained, and 0 freezes such layers.

#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void layer_rate(Kohya& k, ImportRow& row, const Json&) {
  if (k.full) {
    k.ignore(row, message<"Not offered here: {what}.">(
                      message<"a learning rate for each kind of layer">()));
  } else {
    k.ignore(row, message<"Not read there where a network is trained.">());
  }
}

constexpr KohyaRule kKohyaAnimaRules[] = {
    {"self_attn_lr", special, {}, layer_rate},
    {"cross_attn_lr", special, {}, layer_rate},
    {"mlp_lr", special, {}, layer_rate},
    {"mod_lr", special, {}, layer_rate},
    {"llm_adapter_lr", special, {}, layer_rate},
    {"qwen3_max_token_length", ignored, kCaptionLengthNote},
    {"t5_max_token_length", ignored, kCaptionLengthNote},
    {"attn_mode", ignored, kSpeedNote},
    {"unsloth_offload_checkpointing", ignored, kSpeedNote},
    {"vae_disable_cache", ignored, kVideoNote},
    {"qwen_image_vae_2d", ignored, kSpeedNote},
    {"skip_latents_validity_check", ignored, words<"The cache is always checked.">},
};

}  // namespace

std::span<const KohyaRule> kohya_anima_rules() {
  return kKohyaAnimaRules;
}

void finish_kohya_anima(Kohya& k, const Message& not_given) {
  if (!k.of_anima_scripts()) {
    return;
  }
  k.assume("timestep_sampling", "training.timesteps", "sigmoid", not_given);
  const std::string sampling = lower_ascii(k.text("timestep_sampling"));
  if (sampling == "shift" || sampling == "sigma") {
    k.assume("discrete_flow_shift", "training.flow_shift", 1, not_given);
  }
}

}  // namespace mantissa
