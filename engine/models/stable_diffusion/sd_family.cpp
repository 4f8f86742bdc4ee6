// Family definitions of SDXL, SD 1.5 and 2.x, apart from their networks.
#include "engine/models/stable_diffusion/sd_family.h"

#include <array>

#include "engine/core/error.h"
#include "engine/models/clip/clip_config.h"
#include "engine/models/clip/clip_keys.h"
#include "engine/models/stable_diffusion/sd_fresh.h"
#include "engine/models/stable_diffusion/sd_model.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "engine/models/stable_diffusion/unet_keys.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 5> kSdxlGoals{"sdxl-character", "sdxl-style", "sdxl-concept",
                                                     "sdxl-lora-8gb", "sdxl-lora-24gb"};
constexpr DiffusionPipePart kSdxlPipeParts[] = {{"denoiser", "model.unet_lr"},
                                                {"te1", "model.text_encoder_1_lr"},
                                                {"te2", "model.text_encoder_2_lr"}};
constexpr FamilyRow kSdxlRow{.id = ModelFamily("sdxl"),
                             .title = "SDXL",
                             .has_vp = true,
                             .has_clip = true,
                             .has_unet = true,
                             .text_encoders = 2,
                             .has_embeddings = true,
                             .foreign = {.kohya_versions = "sdxl*",
                                         .onetrainer = "stable_diffusion_xl_10_base",
                                         .ai_toolkit = "sdxl",
                                         .simpletuner = "sdxl",
                                         .diffusion_pipe = "sdxl"},
                             .in_diffusion_pipe = {.parts = kSdxlPipeParts},
                             .letters = "XL",
                             .demo = {"demo", "demo/mini-sdxl.safetensors"},
                             .goals = kSdxlGoals};

constexpr std::array<std::string_view, 1> kSd15Goals{"sd15-lora"};
constexpr std::array kSd15Generations{
    FamilyGeneration{.key = "sd2",
                     .title = "SD 2.x",
                     .letters = "2.x",
                     .foreign = {.kohya_versions = "sd_v2* sd_2*",
                                 .onetrainer = "stable_diffusion_20 stable_diffusion_20_base "
                                               "stable_diffusion_21 stable_diffusion_21_base",
                                 .ai_toolkit = "sd2",
                                 .simpletuner = "sd2x"},
                     .kohya_version = "sd_v2",
                     .kohya_v_version = "sd_v2_v",
                     .kohya_v2 = true,
                     .architecture = "stable-diffusion-v2-512",
                     .v_architecture = "stable-diffusion-v2-768-v"}};
constexpr FamilyRow kSd15Row{.id = ModelFamily("sd15"),
                             .title = "SD 1.5",
                             .has_vp = true,
                             .has_clip = true,
                             .has_unet = true,
                             .has_embeddings = true,
                             .foreign = {.kohya_versions = "sd_v1* sd_1*",
                                         .onetrainer = "stable_diffusion_15",
                                         .ai_toolkit = "sd1 sd15",
                                         .simpletuner = "sd1x"},
                             .generations = kSd15Generations,
                             .letters = "1.5",
                             .goals = kSd15Goals};

constexpr LibraryClass kUnetClass{"diffusers", "UNet2DConditionModel"};
constexpr LibraryClass kVaeClass{"diffusers", "AutoencoderKL"};
constexpr LibraryClass kClipClass{"transformers", "CLIPTextModel"};
constexpr LibraryClass kProjectedClipClass{"transformers", "CLIPTextModelWithProjection"};
constexpr LibraryClass kClipTokenizerClass{"transformers", "CLIPTokenizer"};
constexpr std::string_view kStability = "https://github.com/Stability-AI/generative-models";
constexpr std::string_view kComfyClipL = "text_encoders.clip_l.transformer.";
/// Hidden width of OpenCLIP ViT-H, the text encoder of SD 2.x.
constexpr std::int64_t kSd2TextWidth = 1024;

constexpr PartFiles kUnetPart{.part = kDenoiser,
                              .folder = "unet",
                              .model = kUnetClass,
                              .prefix = kUnetPrefix,
                              .kohya = "lora_unet_",
                              .comfyui = "diffusion_model.",
                              .targets = kUnetTargets,
                              .wide = kUnetWide};
constexpr PartFiles kVaePart{
    .part = kVae, .folder = "vae", .model = kVaeClass, .prefix = kVaePrefix};

constexpr std::array kSdxlParts{
    kUnetPart,
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = kClipClass,
              .tokenizer = "tokenizer",
              .tokenizer_model = kClipTokenizerClass,
              .tokenizer_ships = true,
              .prefix = kSdxlTe1Prefix,
              .kohya = "lora_te1_",
              .comfyui = kComfyClipL,
              .embedding = "clip_l",
              .targets = kClipTargets},
    PartFiles{.part = kTe2,
              .folder = "text_encoder_2",
              .model = kProjectedClipClass,
              .tokenizer = "tokenizer_2",
              .tokenizer_model = kClipTokenizerClass,
              .tokenizer_ships = true,
              .prefix = kSdxlTe2Prefix,
              .kohya = "lora_te2_",
              .comfyui = "text_encoders.clip_g.transformer.",
              .embedding = "clip_g",
              .targets = kClipTargets},
    kVaePart,
};
constexpr std::array<std::string_view, 3> kSdxlHeads{"lora_te2_", "text_encoder_2.",
                                                     "lora_unet_input_blocks_"};

constexpr std::array kSd15Parts{
    kUnetPart,
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = kClipClass,
              .tokenizer = "tokenizer",
              .tokenizer_model = kClipTokenizerClass,
              .tokenizer_ships = true,
              .prefix = kSdTextPrefix,
              .kohya = "lora_te_",
              .comfyui = kComfyClipL,
              .other_encoder = {kSd2TextWidth, "text_encoders.clip_h.transformer."},
              .embedding = "emb_params",
              .targets = kClipTargets},
    kVaePart,
};
constexpr std::array<std::string_view, 2> kSdxlPipelines{"StableDiffusionXLImg2ImgPipeline",
                                                         "StableDiffusionXLInpaintPipeline"};
constexpr std::array<std::string_view, 2> kSd15Pipelines{"StableDiffusionImg2ImgPipeline",
                                                         "StableDiffusionInpaintPipeline"};
constexpr std::array<std::string_view, 2> kSd15Absent{"safety_checker", "feature_extractor"};

constexpr std::string_view kSdScheduler = R"({"_class_name": "EulerDiscreteScheduler",
  "beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear",
  "num_train_timesteps": 1000, "prediction_type": "epsilon", "steps_offset": 1,
  "timestep_spacing": "leading"})";

/// SD 1.5's only text encoder is CLIP ViT-L with its quick GELU, that of SD 2.x OpenCLIP's.
std::string sd15_generation(const WeightSource& source) {
  try {
    const bool second = source.has_part(kTe1) && !clip_config(source, kTe1).quick_gelu;
    return second ? std::string(kSd15Generations.front().key) : std::string();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

constinit const Family kSdxl{
    .row = kSdxlRow,
    .parts = kSdxlParts,
    .pipeline = "StableDiffusionXLPipeline",
    .other_pipelines = kSdxlPipelines,
    .recognise = [](const ModelFiles& files) { return recognise_sdxl(kSdxl, files); },
    .recognised_last = true,
    .naming = sdxl_naming,
    .complete = complete_sd,
    .original_names = sd_original_names,
    .kohya_version = "sdxl_base_v1-0",
    .kohya_original_paths = true,
    .architecture = "stable-diffusion-xl-v1-base",
    .implementation = kStability,
    .marks = {2048, kSdxlHeads, "xl"},
    .scheduler = kSdScheduler,
    .latent_scale = 0.13025,
    .latent_statistics = true,
    .make = make_model<StableDiffusion>,
    .fresh = fresh_sd};

constinit const Family kSd15{
    .row = kSd15Row,
    .parts = kSd15Parts,
    .pipeline = "StableDiffusionPipeline",
    .other_pipelines = kSd15Pipelines,
    .absent = kSd15Absent,
    .recognise = [](const ModelFiles& files) { return recognise_sd15(kSd15, files); },
    .recognised_last = true,
    .naming = sd15_naming,
    .generation = sd15_generation,
    .complete = complete_sd,
    .original_names = sd_original_names,
    .to_folder = sd_to_folder,
    .kohya_version = "sd_v1",
    .architecture = "stable-diffusion-v1",
    .implementation = kStability,
    .marks = {768, {}, "v1"},
    .scheduler = kSdScheduler,
    .steps_offset = 1,
    .vae_fits_fp16 = true,
    .make = make_model<StableDiffusion>,
    .fresh = fresh_sd};

}  // namespace mantissa
