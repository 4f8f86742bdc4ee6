// CLIP text encoders and VAEs: configs from JSON, and as JSON.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_fields.h"
#include "engine/io/model_config.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using nlohmann::json;

namespace {

/// What the encoder starts from, and drops while its own weights are trained: nothing here does.
constexpr std::array<std::string_view, 4> kClipHarmless{"initializer_factor", "initializer_range",
                                                        "attention_dropout", "dropout"};

/// The whole of CLIP, with its vision half, keeps the text encoder's fields one level down.
const json& text_part(const json& object) {
  const bool whole = object.is_object() && object.value("model_type", json()) == "clip" &&
                     object.contains("text_config");
  return whole ? object["text_config"] : object;
}

}  // namespace

ClipConfig clip_config_from_json(const json& object, Part part, const std::string& label) {
  const ConfigFields f(text_part(object), label);
  f.one_of("model_type", "clip_text_model", {"clip_text_model"});
  ClipConfig c;
  c.hidden = f.integer("hidden_size", 512);
  c.layers = f.integer("num_hidden_layers", 12);
  c.heads = f.integer("num_attention_heads", 8);
  c.intermediate = f.integer("intermediate_size", 2048);
  c.vocab = f.integer("vocab_size", 49408, 4);
  c.positions = f.integer("max_position_embeddings", 77, 2);
  c.quick_gelu = f.one_of("hidden_act", "quick_gelu", {"quick_gelu", "gelu"}) == "quick_gelu";
  const int projection = f.integer("projection_dim", 512);
  c.projection_dim = part == kTe2 ? projection : 0;
  c.norm_eps = f.number("layer_norm_eps", 1e-5);
  c.use_usual_ids(part);
  // Published configs say 2, which was never the id of EOS: it stands for the greatest id there is.
  const int eos = f.integer("eos_token_id", c.eos_id, 0);
  c.eos_id = eos >= c.vocab ? c.eos_id : eos;
  for (const char* key : {"bos_token_id", "pad_token_id"}) {
    f.find(key);  // the tokenizer says which they are; published configs hold other numbers
  }
  refuse_other_fields(f, kClipHarmless);
  if (c.hidden % c.heads != 0) {
    f.fail("num_attention_heads",
           message<"is {heads}, which does not divide the {channels} channels of hidden_size">(
               c.heads, c.hidden));
  }
  return c;
}

namespace {

/// `force_upcast` asks for FP32 where the VAE would run in FP16, which the precision plan sees to;
/// `sample_size` is that of tiles.
constexpr std::array<std::string_view, 2> kVaeHarmless{"force_upcast", "sample_size"};

void read_latent_statistics(const ConfigFields& f, VaeConfig& c) {
  const auto channels = static_cast<std::size_t>(c.latent_channels);
  c.latents_mean = f.numbers("latents_mean", channels);
  c.latents_std = f.numbers("latents_std", channels);
  if (c.latents_mean.empty() != c.latents_std.empty()) {
    f.fail(c.latents_mean.empty() ? "latents_mean" : "latents_std",
           message<"is missing; latents_mean and latents_std belong together">());
  }
  if (std::any_of(c.latents_std.begin(), c.latents_std.end(), [](double x) { return x <= 0; })) {
    f.fail("latents_std",
           message<"must hold positive numbers, it is {found}">(json(c.latents_std).dump()));
  }
}

}  // namespace

VaeConfig vae_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AutoencoderKL");
  f.one_of("act_fn", "silu", {"silu", "swish"});
  // No pipeline of the families here shifts latents, whatever the field says.
  f.only("shift_factor", 0.0);
  VaeConfig c;
  c.quant_conv = f.boolean("use_quant_conv", true);
  c.post_quant_conv = f.boolean("use_post_quant_conv", true);
  c.in_channels = f.integer("in_channels", 3);
  c.out_channels = f.integer("out_channels", 3);
  c.latent_channels = f.integer("latent_channels", 4);
  c.block_out_channels = f.integers("block_out_channels", {64});
  c.layers_per_block = f.integer("layers_per_block", 1);
  c.norm_num_groups = f.integer("norm_num_groups", 32);
  c.scaling_factor = f.number("scaling_factor", 0.18215);
  c.mid_attention = f.boolean("mid_block_add_attention", true);
  read_latent_statistics(f, c);
  for (const auto& [key, type] : {std::pair{"down_block_types", "DownEncoderBlock2D"},
                                  std::pair{"up_block_types", "UpDecoderBlock2D"}}) {
    const std::size_t levels = c.block_out_channels.size();
    const auto types = f.texts(key, std::vector<std::string>(levels, type));
    if (types != std::vector<std::string>(levels, type)) {
      f.fail(key, message<"must hold {type} once a level ({levels} levels)">(type, levels));
    }
  }
  f.refuse_others(kVaeHarmless);
  f.divisible("norm_num_groups", c.block_out_channels, {c.norm_num_groups}, message<"groups">());
  return c;
}

json to_json(const ClipConfig& c) {
  return json{
      {"architectures", {c.projection_dim != 0 ? "CLIPTextModelWithProjection" : "CLIPTextModel"}},
      {"model_type", "clip_text_model"},
      {"hidden_size", c.hidden},
      {"num_hidden_layers", c.layers},
      {"num_attention_heads", c.heads},
      {"intermediate_size", c.intermediate},
      {"hidden_act", c.quick_gelu ? "quick_gelu" : "gelu"},
      {"vocab_size", c.vocab},
      {"max_position_embeddings", c.positions},
      {"projection_dim", c.projection_dim != 0 ? c.projection_dim : c.hidden},
      {"layer_norm_eps", c.norm_eps},
      {"bos_token_id", c.bos_id},
      {"eos_token_id", c.eos_id},
      {"pad_token_id", c.pad_id}};
}

json to_json(const VaeConfig& c) {
  const std::size_t levels = c.block_out_channels.size();
  json object{{"_class_name", "AutoencoderKL"},
              {"act_fn", "silu"},
              {"in_channels", c.in_channels},
              {"out_channels", c.out_channels},
              {"latent_channels", c.latent_channels},
              {"block_out_channels", c.block_out_channels},
              {"layers_per_block", c.layers_per_block},
              {"down_block_types", std::vector<std::string>(levels, "DownEncoderBlock2D")},
              {"up_block_types", std::vector<std::string>(levels, "UpDecoderBlock2D")},
              {"norm_num_groups", c.norm_num_groups},
              {"scaling_factor", c.scaling_factor},
              {"use_quant_conv", c.quant_conv},
              {"use_post_quant_conv", c.post_quant_conv},
              {"mid_block_add_attention", c.mid_attention}};
  if (!c.latents_mean.empty()) {
    object["latents_mean"] = c.latents_mean;
    object["latents_std"] = c.latents_std;
  }
  return object;
}

}  // namespace mantissa
