// ERNIE-Image's family definition, apart from its networks.
#include "engine/models/ernie_image/ernie_image_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/ernie_image/ernie_image_config.h"
#include "engine/models/ernie_image/ernie_image_keys.h"
#include "engine/models/ernie_image/ernie_image_model.h"
#include "engine/models/ernie_image/ernie_image_variant.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/transformer_names.h"
#include "engine/models/vae/flux2_vae.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kErnieImageGoals{"ernie-image-lora-12gb"};
/// The first as the pipeline's defaults, of a model whose name tells nothing.
constexpr std::array kErnieImageSampling{VariantSampling{"", 50, 4}, VariantSampling{"Turbo", 8, 1},
                                         VariantSampling{"De-Turbo", 50, 4}};
constexpr FamilyRow kErnieImageRow{
    .id = ModelFamily("ernie_image"),
    .title = "ERNIE-Image",
    .has_flow = true,
    .has_embeddings = true,
    .foreign = {.musubi_networks = "networks.lora_ernie_image",
                .musubi_versions = "ernie_image*",
                .onetrainer = "ernie",
                .ai_toolkit = "ernie_image ernie_image:*",
                .simpletuner = "ernie",
                .diffusion_pipe = "ernie_image"},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfComfy},
    .letters = "Er",  // EI looks like Z-Image's ZI
    .goals = kErnieImageGoals};

/// Before its names in ComfyUI's files that hold every part.
constexpr std::string_view kErnieImageTextPrefix = "text_encoders.ministral3_3b.transformer.";
constexpr std::array kErnieImageParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "ErnieImageTransformer2DModel"},
              .prefix = kErnieImagePrefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kErnieImageTargets,
              .wide = kErnieImageWide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Mistral3Model"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "TokenizersBackend"},
              .prefix = kErnieImageTextPrefix,
              .kohya = "lora_te_",
              .comfyui = kErnieImageTextPrefix,
              .kohya_omits = "model.",
              .embedding = "ministral3",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKLFlux2"),
};

/// What ERNIE-Image's files call their tensors.
constexpr TransformerNaming kErnieImageNaming{.mark = kErnieImageMark,
                                              .original_marks = {kErnieImageMark},
                                              .to_diffusers = ernie_image_to_diffusers,
                                              .to_original = ernie_image_to_original,
                                              .original_path = ernie_image_path,
                                              .te1 = ministral3_weight,
                                              .vae = &kFlux2VaeNaming};

}  // namespace

constinit const Family kErnieImage{
    .row = kErnieImageRow,
    .parts = kErnieImageParts,
    .pipeline = "ErnieImagePipeline",
    .recognise = recognise_by<kErnieImage, kErnieImageNaming>,
    .naming = naming_by<kErnieImage, kErnieImageNaming>,
    .variant = ernie_image_variant,
    .sampling = kErnieImageSampling,
    .complete = complete_by<ernie_image_config, flux2_vae_config>,
    .original_names = original_names_by<kErnieImage, kErnieImageNaming>,
    .to_folder = to_vl_model_folder,
    .kohya_version = "ernie_image",
    .kohya_original_paths = true,
    .comfyui_reads_kohya = false,
    .architecture = "ernie-image",
    .implementation = "https://github.com/baidu/ERNIE-Image",
    // Its adapters' names begin as Z-Image's do.
    .marks = {.architecture = "ernie-image", .own_module = "self_attention"},
    .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 4.0, "use_dynamic_shifting": false})",
    .bf16_native = true,
    .make = make_model<ErnieImageModel>};

}  // namespace mantissa
