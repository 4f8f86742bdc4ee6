// Krea 2's family definition, apart from its networks.
#include "engine/models/krea2/krea2_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_titles.h"
#include "engine/io/model_writer.h"
#include "engine/models/krea2/krea2_config.h"
#include "engine/models/krea2/krea2_keys.h"
#include "engine/models/krea2/krea2_model.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/transformer_names.h"
#include "engine/models/vae/qwen_vae_config.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kKrea2Goals{"krea2-lora"};
constexpr std::array kKrea2Sampling{VariantSampling{"Turbo", 8, 1}};
constexpr FamilyRow kKrea2Row{
    .id = ModelFamily("krea2"),
    .title = "Krea 2",
    .has_flow = true,
    .has_embeddings = true,
    .foreign = {.musubi_networks = "networks.lora_krea2",
                .musubi_versions = "krea2*",
                .onetrainer = "krea_2",
                .ai_toolkit = "krea2 krea2:*",
                .simpletuner = "krea2",
                .diffusion_pipe = "krea2"},
    .elsewhere = {.musubi_layers = "denoiser.*",
                  .ai_toolkit_layers = "denoiser.*blocks.*",
                  .onetrainer_attention = "denoiser.*.attn.*",
                  .onetrainer_mlp = "denoiser.*.attn.* denoiser.*.ff.*",
                  .simpletuner_layers = kFourProjections,
                  .ai_toolkit_peft_lokr = true},
    .in_diffusion_pipe =
        {.weight_type = DiffusionPipeModel::kOfComfy,
         .layers = "denoiser.transformer_blocks.* denoiser.text_fusion.* denoiser.txt_in.*"},
    .letters = "Kr",  // K2 looks like FLUX.2's F2
    .goals = kKrea2Goals};

/// Before its names in ComfyUI's files that hold every part.
constexpr std::string_view kKrea2TextPrefix = "text_encoders.qwen3vl_4b.transformer.";
constexpr std::array kKrea2Parts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "Krea2Transformer2DModel"},
              .prefix = kKrea2Prefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kKrea2Targets,
              .wide = kKrea2Wide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3VLModel"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .tokenizer_ships = true,
              .vision = true,
              .prefix = kKrea2TextPrefix,
              .kohya = "lora_te_",
              .comfyui = kKrea2TextPrefix,
              .kohya_omits = "model.",
              .embedding = "qwen3_vl",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKLQwenImage"),
};
constexpr std::array<std::string_view, 3> kKrea2Settings{kKrea2States, "is_distilled",
                                                         kKrea2PatchSize};
constexpr std::array<std::string_view, 5> kKrea2Heads{
    "diffusion_model.blocks.0.attn.w", "diffusion_model.txtfusion.", "lora_unet_blocks_0_attn_w",
    "transformer.transformer_blocks.0.attn.to_gate", "transformer.text_fusion."};

/// Raw and what is distilled from it have the same network.
ModelVariant krea2_variant(const WeightSource& source) {
  if (auto by_index = distilled_by_index(source, "Raw", "Turbo")) {
    return *by_index;
  }
  for (const std::string& title : model_titles(source)) {
    const bool turbo = title_says(title, "turbo", "de");
    if (turbo || title_says(title, "raw")) {
      return {turbo ? "Turbo" : "Raw", turbo, message<"it is called '{name}'">(title)};
    }
  }
  return {};
}

/// The few steps of Turbo have one shift whatever the image's size.
double turbo_sampling_mu(double /*tokens*/, int /*steps*/) {
  return 1.15;
}

SamplingMu krea2_sampling_mu(const WeightSource& source) {
  return krea2_variant(source).distilled ? turbo_sampling_mu : nullptr;
}

/// What Krea 2's files call their tensors.
constexpr TransformerNaming kKrea2Naming{.mark = kKrea2Mark,
                                         .original_marks = {kKrea2OriginalMark},
                                         .to_diffusers = krea2_to_diffusers,
                                         .to_original = krea2_to_original,
                                         .original_path = krea2_original_path,
                                         .te1 = qwen3_vl_weight,
                                         .vae = &kQwenVaeNaming};

}  // namespace

constinit const Family kKrea2{.row = kKrea2Row,
                              .parts = kKrea2Parts,
                              .pipeline = "Krea2Pipeline",
                              .pipeline_settings = kKrea2Settings,
                              .recognise = recognise_by<kKrea2, kKrea2Naming>,
                              .naming = naming_by<kKrea2, kKrea2Naming>,
                              .variant = krea2_variant,
                              .sampling = kKrea2Sampling,
                              .complete = complete_by<krea2_config, qwen_vae_config>,
                              .original_names = original_names_by<kKrea2, kKrea2Naming>,
                              .to_folder = to_vl_model_folder,
                              .kohya_version = "krea2",
                              .kohya_original_paths = true,
                              .comfyui_reads_kohya = false,
                              .architecture = "Krea-2",
                              .implementation = "https://github.com/krea-ai/krea-2",
                              .marks = {0, kKrea2Heads, "rea-2"},
                              .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 1.0, "use_dynamic_shifting": true, "base_shift": 0.5,
  "max_shift": 1.15, "base_image_seq_len": 256, "max_image_seq_len": 6400,
  "time_shift_type": "exponential"})",
                              .bf16_native = true,
                              .reference_pixels = std::int64_t{1024} * 1024,
                              .references_stretched = true,
                              .make = make_model<Krea2Model>,
                              .sampling_mu = krea2_sampling_mu};

}  // namespace mantissa
