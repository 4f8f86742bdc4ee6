// FLUX.2's family definition, apart from its networks and names.
#include "engine/models/flux2/flux2_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/flux2/flux2_config.h"
#include "engine/models/flux2/flux2_keys.h"
#include "engine/models/flux2/flux2_model.h"
#include "engine/models/flux2/flux2_names.h"
#include "engine/models/flux2/flux2_variant.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/vae/flux2_vae.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kFlux2Goals{"flux2-klein-lora-8gb"};
/// Other programs call dev and klein alike.
constexpr std::array kFlux2Namesakes{
    NamesakeModel{.title = "FLUX.2 dev",
                  .onetrainer = "*flux.2-dev*",
                  .simpletuner = "dev",
                  .diffusion_pipe = "*flux*2*dev*"},
    NamesakeModel{.title = "FLUX.2 dev", .diffusion_pipe = "*mistral*"}};  // its text encoder
constexpr std::array kFlux2Sampling{VariantSampling{"4-step", 4, 1}};
constexpr FamilyRow kFlux2Row{
    .id = ModelFamily("flux2"),
    .title = "FLUX.2 klein",
    .has_flow = true,
    .has_embeddings = true,
    .foreign = {.kohya_versions = "flux2_klein*",
                .musubi_networks = "networks.lora_flux_2",
                .musubi_versions = "flux_2_klein* klein*",
                .onetrainer = "flux_2",
                .ai_toolkit = "flux2_klein_4b flux2_klein_9b",
                .simpletuner = "flux2",
                .diffusion_pipe = "flux2"},
    .namesakes = kFlux2Namesakes,
    .elsewhere = {.simpletuner_layers = "denoiser.*.to_q denoiser.*.to_k denoiser.*.to_v "
                                        "denoiser.*.to_out.0 denoiser.*.to_qkv_mlp_proj",
                  .ai_toolkit_peft_lokr = true},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfComfy, .joins_qkv = true},
    .goals = kFlux2Goals};

constexpr std::array kFlux2Parts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "Flux2Transformer2DModel"},
              .prefix = kFlux2Prefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kFlux2Targets,
              .wide = kFlux2Wide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3ForCausalLM"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .tokenizer_ships = true,
              .prefix = kFlux2TextPrefix,
              .kohya = "lora_te_",
              .comfyui = kFlux2TextPrefix,
              .other_encoder = {kFlux2LargeTextWidth, kFlux2LargeTextPrefix},
              .kohya_omits = "model.",
              .embedding = "qwen3",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKLFlux2"),
};
constexpr std::array<std::string_view, 1> kFlux2Pipelines{"Flux2KleinInpaintPipeline"};
constexpr std::array<std::string_view, 1> kFlux2Settings{"is_distilled"};
constexpr std::array<std::string_view, 3> kFlux2Heads{
    "transformer.single_transformer_blocks.0.attn.to_qkv_mlp_proj",
    "lora_unet_double_stream_modulation_img", "diffusion_model.double_stream_modulation_img"};

}  // namespace

constinit const Family kFlux2{
    .row = kFlux2Row,
    .parts = kFlux2Parts,
    .pipeline = "Flux2KleinPipeline",
    .other_pipelines = kFlux2Pipelines,
    .pipeline_settings = kFlux2Settings,
    .recognise = recognise_by<kFlux2, kFlux2Naming>,
    .naming = naming_by<kFlux2, kFlux2Naming>,
    .variant = flux2_variant,
    .sampling = kFlux2Sampling,
    .complete = complete_by<flux2_config, flux2_vae_config>,
    .original_names = original_names_by<kFlux2, kFlux2Naming>,
    .kohya_version = "flux2",
    .kohya_original_paths = true,
    .architecture = "flux-2",
    .implementation = "https://github.com/black-forest-labs/flux2",
    .marks = {0, kFlux2Heads, "flux-2"},
    .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 3.0, "use_dynamic_shifting": true, "base_shift": 0.5,
  "max_shift": 1.15, "base_image_seq_len": 256, "max_image_seq_len": 4096,
  "time_shift_type": "exponential"})",
    .bf16_native = true,
    .reference_pixels = std::int64_t{1024} * 1024,
    .make = make_model<Flux2Model>,
    .sampling_mu = [](const WeightSource&) -> SamplingMu { return flux2_sampling_mu; }};

}  // namespace mantissa
