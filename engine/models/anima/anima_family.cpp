// Anima's family definition, apart from its networks and names.
#include "engine/models/anima/anima_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/anima/anima_config.h"
#include "engine/models/anima/anima_keys.h"
#include "engine/models/anima/anima_model.h"
#include "engine/models/anima/anima_names.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/vae/qwen_vae_config.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kAnimaGoals{"anima-lora"};
constexpr DiffusionPipePart kAnimaPipeParts[] = {{"denoiser", ""}, {"te2", "model.llm_adapter_lr"}};
constexpr FamilyRow kAnimaRow{
    .id = ModelFamily("anima"),
    .title = "Anima",
    .has_flow = true,
    .text_encoders = 2,
    .has_embeddings = true,
    .foreign = {.kohya_networks = "networks.lora_anima anima",
                .kohya_versions = "anima*",
                .kohya_keys = "qwen3 llm_adapter_path",
                .onetrainer = "anima",
                .ai_toolkit = "anima anima:*",
                .simpletuner = "anima",
                .diffusion_pipe = "anima"},
    .main_blocks = {.modulation = "denoiser.transformer_blocks.*.norm*"},
    .elsewhere = {.sd_scripts_layers = "attention+mlp", .ai_toolkit_peft_lokr = true},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfDiffusers,
                          .parts = kAnimaPipeParts,
                          .has_layer_rates = true},
    .goals = kAnimaGoals};

constexpr std::array kAnimaParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "CosmosTransformer3DModel"},
              .prefix = kAnimaPrefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .simpletuner = "core.",
              .targets = kAnimaTargets,
              .wide = kAnimaWide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3Model"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .tokenizer_ships = true,
              .prefix = kAnimaQwenPrefix,
              .kohya = "lora_te_",
              .comfyui = kAnimaOtherQwenPrefix,
              .kohya_omits = "model.",
              .embedding = "qwen3",
              .targets = kQwen3Targets},
    PartFiles{.part = kTe2,
              .folder = "text_conditioner",
              .model = {"diffusers", "AnimaTextConditioner"},
              .tokenizer = "t5_tokenizer",
              .tokenizer_model = {"transformers", "T5TokenizerFast"},
              .prefix = kAnimaTextPrefix,
              .kohya = "lora_unet_llm_adapter_",
              .comfyui = "diffusion_model.llm_adapter.",
              .simpletuner = "llm_adapter.",
              .embedding = "llm_adapter",
              .targets = kAnimaTextTargets},
    PartFiles{.part = kVae,
              .folder = "vae",
              .model = {"diffusers", "AutoencoderKLQwenImage"},
              .prefix = kAnimaVaePrefix},
};
constexpr std::array<std::string_view, 11> kAnimaHeads{"diffusion_model.blocks.0.self_attn.",
                                                       "diffusion_model.blocks.0.cross_attn.",
                                                       "diffusion_model.blocks.0.mlp.layer",
                                                       "diffusion_model.llm_adapter.",
                                                       "lora_unet_blocks_0_self_attn_",
                                                       "lora_unet_blocks_0_cross_attn_",
                                                       "lora_unet_blocks_0_mlp_layer",
                                                       "lora_unet_llm_adapter_",
                                                       "text_conditioner.",
                                                       "transformer.core.transformer_blocks.",
                                                       "lycoris_core_transformer_blocks_"};

void complete_anima(ModelContents& model, const WeightSource& source) {
  complete_config(model, source, kDenoiser, anima_config);
  complete_config(model, source, kTe2, anima_text_config);
  complete_config(model, source, kVae, qwen_vae_config);
}

}  // namespace

constinit const Family kAnima{.row = kAnimaRow,
                              .parts = kAnimaParts,
                              .pipeline = "AnimaModularPipeline",
                              .recognise = recognise_by<kAnima, kAnimaNaming>,
                              .naming = naming_by<kAnima, kAnimaNaming>,
                              .complete = complete_anima,
                              .original_names = original_names_by<kAnima, kAnimaNaming>,
                              .kohya_version = "anima",
                              .kohya_original_paths = true,
                              .comfyui_reads_kohya = false,
                              .architecture = "anima-preview",
                              .implementation = "https://github.com/nvidia-cosmos/cosmos-predict2",
                              .marks = {0, kAnimaHeads, "anima"},
                              .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 3.0, "use_dynamic_shifting": false})",
                              .bf16_native = true,
                              .make = make_model<AnimaModel>};

}  // namespace mantissa
