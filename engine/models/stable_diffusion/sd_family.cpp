// Family definitions of SDXL, SD 1.5 and 2.x, apart from their networks.
#include "engine/models/stable_diffusion/sd_family.h"

#include <array>

#include "engine/models/clip/clip_keys.h"
#include "engine/models/stable_diffusion/sd_fresh.h"
#include "engine/models/stable_diffusion/sd_model.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "engine/models/stable_diffusion/unet_keys.h"

namespace mantissa {

namespace {

constexpr LibraryClass kUnetClass{"diffusers", "UNet2DConditionModel"};
constexpr LibraryClass kVaeClass{"diffusers", "AutoencoderKL"};
constexpr LibraryClass kClipClass{"transformers", "CLIPTextModel"};
constexpr LibraryClass kProjectedClipClass{"transformers", "CLIPTextModelWithProjection"};
constexpr LibraryClass kClipTokenizerClass{"transformers", "CLIPTokenizer"};
constexpr std::string_view kStability = "https://github.com/Stability-AI/generative-models";
constexpr std::string_view kComfyClipL = "text_encoders.clip_l.transformer.";

constexpr PartFiles kUnetPart{.part = kDenoiser,
                              .folder = "unet",
                              .model = kUnetClass,
                              .prefix = kUnetPrefix,
                              .kohya = "lora_unet_",
                              .comfyui = "diffusion_model.",
                              .targets = kUnetTargets};
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

}  // namespace

constinit const Family kSdxl{
    .id = ModelFamily::sdxl,
    .title = "SDXL",
    .parts = kSdxlParts,
    .pipeline = "StableDiffusionXLPipeline",
    .other_pipelines = kSdxlPipelines,
    .recognise = [](const ModelFiles& files) { return recognise_sdxl(kSdxl, files); },
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
    .id = ModelFamily::sd15,
    .title = "SD 1.5",
    .parts = kSd15Parts,
    .pipeline = "StableDiffusionPipeline",
    .other_pipelines = kSd15Pipelines,
    .absent = kSd15Absent,
    .recognise = [](const ModelFiles& files) { return recognise_sd15(kSd15, files); },
    .naming = sd15_naming,
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
