// Chroma's family definition, apart from its networks and names.
#include "engine/models/chroma/chroma_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/chroma/chroma_config.h"
#include "engine/models/chroma/chroma_keys.h"
#include "engine/models/chroma/chroma_model.h"
#include "engine/models/chroma/chroma_names.h"
#include "engine/models/chroma/chroma_variant.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/flux1/flux1_names.h"
#include "engine/models/t5/t5_keys.h"
#include "engine/models/vae/vae_config.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kChromaGoals{"chroma-lora-16gb"};
/// The first as the pipeline's defaults, of a model whose name tells nothing.
constexpr std::array kChromaSampling{VariantSampling{"", 35, 5}, VariantSampling{"Flash", 8, 1}};
constexpr FamilyRow kChromaRow{
    .id = ModelFamily("chroma"),
    .title = "Chroma",
    .models = "Chroma1-HD, Chroma1-Base",
    .has_flow = true,
    .adapts_text = true,
    .has_embeddings = true,
    .foreign = {.kohya_versions = "chroma",
                .onetrainer = "chroma_1",
                .ai_toolkit = "chroma",
                .simpletuner = "chroma",
                .diffusion_pipe = "chroma"},
    .elsewhere = {.onetrainer_mlp = "attention denoiser.transformer_blocks.*.ff.* "
                                    "denoiser.*.proj_mlp"},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfDiffusers,
                          .joins_qkv = true,
                          .joins_entries = true},
    .letters = "Ch",
    .goals = kChromaGoals};

constexpr std::array kChromaParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "ChromaTransformer2DModel"},
              .prefix = kFlux1Prefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .onetrainer = "lora_transformer_",
              .targets = kFlux1Targets,
              .wide = kChromaWide,
              .frozen = kChromaFrozen},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "T5EncoderModel"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "T5Tokenizer"},
              .prefix = kFlux1T5Prefix,
              .kohya = "lora_te1_",
              .comfyui = kFlux1T5Prefix,
              .onetrainer = "lora_te_",
              .embedding = "t5",
              .targets = kT5Targets,
              .wide = kT5Wide},
    comfy_vae("AutoencoderKL"),
};
constexpr std::array<std::string_view, 2> kChromaPipelines{"ChromaImg2ImgPipeline",
                                                           "ChromaInpaintPipeline"};

}  // namespace

constinit const Family kChroma{
    .row = kChromaRow,
    .parts = kChromaParts,
    .pipeline = "ChromaPipeline",
    .other_pipelines = kChromaPipelines,
    .recognise = recognise_by<kChroma, kChromaNaming>,
    .naming = naming_by<kChroma, kChromaNaming>,
    .variant = chroma_variant,
    .sampling = kChromaSampling,
    .complete = complete_by<chroma_config, vae_config>,
    .original_names = original_names_by<kChroma, kChromaNaming>,
    .kohya_version = "chroma",
    .kohya_original_paths = true,
    .architecture = "chroma",
    .implementation = "https://github.com/lodestone-rock/flow",
    .marks = {.architecture = "hroma", .own_module = kChromaApproximator},
    .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 3.0, "use_dynamic_shifting": false})",
    .latent_scale = 0.3611,
    .latent_shift = 0.1159,
    .t5 = true,
    .bf16_native = true,
    .make = make_model<ChromaModel>};

}  // namespace mantissa
