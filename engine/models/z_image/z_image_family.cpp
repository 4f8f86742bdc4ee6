// Z-Image's family definition, apart from its networks and names.
#include "engine/models/z_image/z_image_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/vae/vae_config.h"
#include "engine/models/z_image/z_image_config.h"
#include "engine/models/z_image/z_image_keys.h"
#include "engine/models/z_image/z_image_model.h"
#include "engine/models/z_image/z_image_names.h"

namespace mantissa {

namespace {

constexpr std::array kZImageParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "ZImageTransformer2DModel"},
              .prefix = kZImagePrefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kZImageTargets},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3Model"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .prefix = kZImageTextPrefix,
              .kohya = "lora_te_",
              .comfyui = kZImageTextPrefix,
              .targets = kQwen3Targets},
    PartFiles{.part = kVae,
              .folder = "vae",
              .model = {"diffusers", "AutoencoderKL"},
              .prefix = kZImageVaePrefix},
};
constexpr std::array<std::string_view, 6> kZImageHeads{
    "diffusion_model.layers.", "diffusion_model.context_refiner.", "diffusion_model.noise_refiner.",
    "lora_unet_layers_",       "lora_unet_context_refiner_",       "lora_unet_noise_refiner_"};

void complete_z_image(ModelContents& model, const WeightSource& source) {
  const auto fill = [&](Part part, auto config) {
    if (source.has_part(part)) {
      model.configs.try_emplace(part, to_json(config(source)));
    }
  };
  fill(kDenoiser, z_image_config);
  fill(kVae, vae_config);
}

}  // namespace

constinit const Family kZImage{.id = ModelFamily::z_image,
                               .title = "Z-Image",
                               .parts = kZImageParts,
                               .pipeline = "ZImagePipeline",
                               .recognise = recognise_z_image,
                               .naming = z_image_naming,
                               .complete = complete_z_image,
                               .original_names = z_image_original_names,
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
                               .make = make_model<ZImageModel>};

}  // namespace mantissa
