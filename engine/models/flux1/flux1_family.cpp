// FLUX.1's family definition, apart from its networks and names.
#include "engine/models/flux1/flux1_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/clip/clip_keys.h"
#include "engine/models/flux1/flux1_config.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/flux1/flux1_model.h"
#include "engine/models/flux1/flux1_names.h"
#include "engine/models/flux1/flux1_variant.h"
#include "engine/models/t5/t5_keys.h"
#include "engine/models/vae/vae_config.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kFlux1Goals{"flux1-lora-16gb"};
/// A model that reads an image in further channels.
constexpr std::array kFlux1Namesakes{NamesakeModel{.title = "FLUX.1 Fill", .simpletuner = "fill*"}};
/// As the model cards say.
constexpr std::array kFlux1Sampling{
    VariantSampling{"dev", 28, 3.5}, VariantSampling{"Krea dev", 28, 4.5},
    VariantSampling{kFlux1Kontext, 28, 2.5}, VariantSampling{"schnell", 4, 1}};
constexpr FamilyRow kFlux1Row{
    .id = ModelFamily("flux1"),
    .title = "FLUX.1",
    .models = "FLUX.1 dev, FLUX.1 schnell, FLUX.1 Krea dev, FLUX.1 Kontext dev",
    .has_flow = true,
    .text_encoders = 2,
    .adapts_text = true,
    .has_embeddings = true,
    .reads_guidance = true,
    .reads_padding = true,
    .foreign = {.kohya_networks = "networks.lora_flux flux1",
                .kohya_versions = "flux1*",
                .kohya_keys = "ae",
                .musubi_networks = "networks.lora_flux",
                .musubi_versions = "flux_kontext*",
                .onetrainer = "flux_dev_1",
                .ai_toolkit = "flux flux_kontext",
                .simpletuner = "flux",
                .diffusion_pipe = "flux"},
    .namesakes = kFlux1Namesakes,
    .main_blocks = {.modulation = "denoiser.*transformer_blocks.*.norm*"},
    .elsewhere = {.onetrainer_mlp =
                      "attention denoiser.transformer_blocks.*.ff.* denoiser.*.proj_mlp"},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfDiffusers, .shifts_alike = true},
    .letters = "Fl",
    .goals = kFlux1Goals};

constexpr std::array kFlux1Parts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "FluxTransformer2DModel"},
              .prefix = kFlux1Prefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .onetrainer = "lora_transformer_",
              .targets = kFlux1Targets,
              .wide = kFlux1Wide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "CLIPTextModel"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "CLIPTokenizer"},
              .tokenizer_ships = true,
              .prefix = kFlux1ClipPrefix,
              .kohya = "lora_te1_",
              .comfyui = kFlux1ClipPrefix,
              .embedding = "clip_l",
              .targets = kClipTargets},
    PartFiles{.part = kTe2,
              .folder = "text_encoder_2",
              .model = {"transformers", "T5EncoderModel"},
              .tokenizer = "tokenizer_2",
              .tokenizer_model = {"transformers", "T5Tokenizer"},
              .prefix = kFlux1T5Prefix,
              .kohya = "lora_te3_",  // sd-scripts' number, which is Stable Diffusion 3's
              .comfyui = kFlux1T5Prefix,
              .onetrainer = "lora_te2_",
              .embedding = "t5",
              .embedding_too = "t5xxl",
              .targets = kT5Targets,
              .wide = kT5Wide},
    comfy_vae("AutoencoderKL"),
};
constexpr std::array<std::string_view, 4> kFlux1Pipelines{
    "FluxImg2ImgPipeline", "FluxInpaintPipeline", "FluxKontextPipeline",
    "FluxKontextInpaintPipeline"};
constexpr std::array<std::string_view, 1> kFlux1Edits{kFlux1Kontext};
/// FluxKontextPipeline's preferred resolutions.
constexpr std::array kFlux1References{
    ImageSize{672, 1568},  ImageSize{688, 1504}, ImageSize{720, 1456}, ImageSize{752, 1392},
    ImageSize{800, 1328},  ImageSize{832, 1248}, ImageSize{880, 1184}, ImageSize{944, 1104},
    ImageSize{1024, 1024}, ImageSize{1104, 944}, ImageSize{1184, 880}, ImageSize{1248, 832},
    ImageSize{1328, 800},  ImageSize{1392, 752}, ImageSize{1456, 720}, ImageSize{1504, 688},
    ImageSize{1568, 672}};
constexpr std::array<std::string_view, 9> kFlux1Heads{
    "lora_unet_double_blocks_0_img_mod_lin",
    "lora_unet_single_blocks_0_modulation_lin",
    "diffusion_model.double_blocks.0.img_mod.lin",
    "diffusion_model.single_blocks.0.modulation.lin",
    "lora_transformer_single_transformer_blocks_0_proj_mlp",
    "transformer.single_transformer_blocks.0.norm.linear",
    "transformer.single_transformer_blocks.0.proj_mlp",
    "transformer.single_transformer_blocks.0.proj_out",
    "transformer.transformer_blocks.0.norm1_context"};

constexpr std::string_view kKontextPipeline = "FluxKontextPipeline";

void complete_flux1(ModelContents& model, const WeightSource& source) {
  constexpr const char* kClass = "_class_name";
  complete_config(model, source, kDenoiser, flux1_config);
  complete_config(model, source, kVae, vae_config);
  if (flux1_variant(source).name == kFlux1Kontext &&
      !model.pipeline.value(kClass, "").starts_with("FluxKontext")) {
    model.pipeline[kClass] = kKontextPipeline;  // its name alone told it so far
  }
}

/// schnell's few steps aren't shifted, whatever the image's size.
double schnell_sampling_mu(double /*tokens*/, int /*steps*/) {
  return 0;
}

SamplingMu flux1_sampling_mu(const WeightSource& source) {
  return flux1_variant(source).distilled ? schnell_sampling_mu : nullptr;
}

}  // namespace

constinit const Family kFlux1{.row = kFlux1Row,
                              .parts = kFlux1Parts,
                              .pipeline = "FluxPipeline",
                              .other_pipelines = kFlux1Pipelines,
                              .recognise = recognise_by<kFlux1, kFlux1Naming>,
                              .naming = naming_by<kFlux1, kFlux1Naming>,
                              .variant = flux1_variant,
                              .sampling = kFlux1Sampling,
                              .complete = complete_flux1,
                              .original_names = original_names_by<kFlux1, kFlux1Naming>,
                              .kohya_version = "flux1",
                              .kohya_original_paths = true,
                              .architecture = "flux-1-dev",
                              .implementation = "https://github.com/black-forest-labs/flux",
                              .marks = {0, kFlux1Heads, "flux-1"},
                              .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 3.0, "use_dynamic_shifting": true, "base_shift": 0.5,
  "max_shift": 1.15, "base_image_seq_len": 256, "max_image_seq_len": 4096,
  "time_shift_type": "exponential"})",
                              .latent_scale = 0.3611,
                              .latent_shift = 0.1159,
                              .t5 = true,
                              .bf16_native = true,
                              .reference_pixels = std::int64_t{1024} * 1024,
                              .reference_sizes = kFlux1References,
                              .most_references = 1,
                              .edit_variants = kFlux1Edits,
                              .edit_pipeline = kKontextPipeline,
                              .make = make_model<Flux1Model>,
                              .sampling_mu = flux1_sampling_mu};

}  // namespace mantissa
