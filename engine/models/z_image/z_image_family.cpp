// Z-Image's family definition, apart from its networks.
#include "engine/models/z_image/z_image_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/fresh_weights.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/transformer_names.h"
#include "engine/models/vae/vae.h"
#include "engine/models/vae/vae_config.h"
#include "engine/models/z_image/z_image_config.h"
#include "engine/models/z_image/z_image_keys.h"
#include "engine/models/z_image/z_image_model.h"
#include "engine/models/z_image/z_image_variant.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kZImageGoals{"z-image-lora-12gb"};
constexpr std::array kZImageSampling{VariantSampling{"Turbo", 8, 1}};
constexpr FamilyRow kZImageRow{
    .id = ModelFamily("z_image"),
    .title = "Z-Image",
    .has_flow = true,
    .has_embeddings = true,
    .foreign = {.kohya_versions = "zimage*",
                .musubi_networks = "networks.lora_zimage",
                .musubi_versions = "z_image*",
                .onetrainer = "z_image",
                .ai_toolkit = "zimage zimage:*",
                .simpletuner = "z_image",
                .diffusion_pipe = "z_image"},
    // Without its refiners.
    .main_blocks = {.attention = "denoiser.layers.*.attention.*",
                    .mlp = "denoiser.layers.*.feed_forward.*",
                    .modulation = "denoiser.layers.*.adaLN_modulation.0"},
    .elsewhere = {.musubi_fp32 = true},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfComfy,
                          .layers = "attention+mlp",  // with the refiners
                          .joins_qkv = true},
    .demo = {"demo-z-image", "demo/mini-z-image"},
    .goals = kZImageGoals};

/// Before its names in ComfyUI's files that hold every part.
constexpr std::string_view kZImageTextPrefix = "text_encoders.qwen3_4b.transformer.";
constexpr std::array kZImageParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "ZImageTransformer2DModel"},
              .prefix = kZImagePrefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kZImageTargets,
              .wide = kZImageWide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3Model"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .tokenizer_ships = true,
              .prefix = kZImageTextPrefix,
              .kohya = "lora_te_",
              .comfyui = kZImageTextPrefix,
              .kohya_omits = "model.",
              .embedding = "qwen3",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKL"),
};
constexpr std::array<std::string_view, 2> kZImagePipelines{"ZImageImg2ImgPipeline",
                                                           "ZImageInpaintPipeline"};
constexpr std::array<std::string_view, 6> kZImageHeads{
    "diffusion_model.layers.", "diffusion_model.context_refiner.", "diffusion_model.noise_refiner.",
    "lora_unet_layers_",       "lora_unet_context_refiner_",       "lora_unet_noise_refiner_"};

/// Tokens that are weights, and embeddings, are normal with the config's `initializer_range`; small
/// models learn to follow captions sooner with 1.
FreshRule fresh_z_image(WeightStore& store, Part part, const nlohmann::json& config) {
  const PartFiles& files = *kZImage.part(part);
  const std::string label = std::string(files.folder) + "/config.json";
  const Scope scope(store, nullptr, part);
  if (part == kDenoiser) {
    ZImageTransformer(z_image_config_from_json(config, label), scope);
  } else if (part == kVae) {
    Vae(vae_config_from_json(config, label), scope);
  } else {
    const Qwen3Config text = qwen3_config_from_json(config, label);
    Qwen3Text(text, scope, {text.layers});
  }
  return [deviation = config.value("initializer_range", 0.02)](const FreshTensor& tensor) {
    const bool token =
        tensor.path.ends_with("_pad_token") || tensor.path.ends_with("embed_tokens.weight");
    return token ? Draw{Draw::Kind::normal, deviation} : torch_draw(tensor);
  };
}

/// What Z-Image's files call their tensors.
constexpr TransformerNaming kZImageNaming{.mark = kZImageMark,
                                          .original_marks = {kZImageOriginalMark},
                                          .to_diffusers = z_image_to_diffusers,
                                          .to_original = z_image_to_original,
                                          .original_path = z_image_original_path,
                                          .te1 = qwen3_weight,
                                          .vae = &kKlVaeNaming};

}  // namespace

constinit const Family kZImage{.row = kZImageRow,
                               .parts = kZImageParts,
                               .pipeline = "ZImagePipeline",
                               .other_pipelines = kZImagePipelines,
                               .recognise = recognise_by<kZImage, kZImageNaming>,
                               .naming = naming_by<kZImage, kZImageNaming>,
                               .variant = z_image_variant,
                               .sampling = kZImageSampling,
                               .complete = complete_by<z_image_config, vae_config>,
                               .original_names = original_names_by<kZImage, kZImageNaming>,
                               .kohya_version = "z_image",
                               .comfyui_reads_kohya = false,
                               .architecture = "z-image",
                               .implementation = "https://github.com/Tongyi-MAI/Z-Image",
                               .marks = {0, kZImageHeads, "z-image"},
                               .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 6.0, "use_dynamic_shifting": false})",
                               .latent_scale = 0.3611,
                               .latent_shift = 0.1159,
                               .bf16_native = true,
                               .make = make_model<ZImageModel>,
                               .fresh = fresh_z_image};

}  // namespace mantissa
