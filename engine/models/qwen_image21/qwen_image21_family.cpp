// Qwen-Image-2.1's family definition, apart from its networks.
#include "engine/models/qwen_image21/qwen_image21_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/qwen_image21/qwen_image21_config.h"
#include "engine/models/qwen_image21/qwen_image21_keys.h"
#include "engine/models/qwen_image21/qwen_image21_model.h"
#include "engine/models/qwen_image21/qwen_image21_variant.h"
#include "engine/models/transformer_names.h"
#include "engine/models/vae/qwen_vae_config.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kQwenImage21Goals{"qwen-image-21-lora-12gb"};
constexpr std::array kQwenImage21Sampling{VariantSampling{"40-step", 40, 1},
                                          VariantSampling{"Turbo", 8, 1}};
constexpr FamilyRow kQwenImage21Row{.id = ModelFamily("qwen_image_21"),
                                    .title = "Qwen-Image-2.1",
                                    .has_flow = true,
                                    .has_embeddings = true,
                                    .foreign = {.musubi_networks = "networks.lora_qwen_image_21",
                                                .musubi_versions = "qwen_image_21*",
                                                .ai_toolkit = "qwen_image_2 qwen_image_2:*"},
                                    .letters = "Qw",
                                    .goals = kQwenImage21Goals};

/// Before its names in ComfyUI's files that hold every part.
constexpr std::string_view kQwenImage21TextPrefix = "text_encoders.qwen3vl_8b.transformer.";
constexpr std::array kQwenImage21Parts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "QwenImage21Transformer2DModel"},
              .prefix = kQwenImage21Prefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kQwenImage21Targets,
              .wide = kQwenImage21Wide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3VLForConditionalGeneration"},
              .tokenizer = "processor",
              .tokenizer_model = {"transformers", "Qwen3VLProcessor"},
              .tokenizer_ships = true,
              .vision = true,
              .prefix = kQwenImage21TextPrefix,
              .kohya = "lora_te_",
              .comfyui = kQwenImage21TextPrefix,
              .kohya_omits = "model.",
              .embedding = "qwen3_vl",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKLQwenImage21"),
};
constexpr std::array<std::string_view, 2> kQwenImage21Pipelines{"QwenImage21ModularPipeline",
                                                                "QwenImage21TurboModularPipeline"};
constexpr std::array<std::string_view, 1> kQwenImage21Settings{kQwenImage21Grid};
/// Attention's modules have the names of other families', whose widths differ.
constexpr std::array<std::string_view, 8> kQwenImage21Heads{
    "diffusion_model.transformer_blocks.0.img_mlp.gate_up",
    "diffusion_model.transformer_blocks.0.img_mlp.gate_layer",
    "diffusion_model.transformer_blocks.0.img_mlp.proj",
    "diffusion_model.transformer_blocks.0.img_mlp.out",
    "lora_unet_transformer_blocks_0_img_mlp_gate_up",
    "lora_unet_transformer_blocks_0_img_mlp_out",
    "transformer.transformer_blocks.0.img_mlp.gate_layer",
    "transformer.transformer_blocks.0.img_mlp.proj"};

/// What Qwen-Image-2.1's files call their tensors.
constexpr TransformerNaming kQwenImage21Naming{.mark = kQwenImage21Mark,
                                               .original_marks = {kQwenImage21OriginalMark},
                                               .to_diffusers = qwen_image21_to_diffusers,
                                               .to_original = qwen_image21_to_original,
                                               .original_path = qwen_image21_original_path,
                                               .te1 = qwen3_vl_weight,
                                               .vae = &kQwenImage21VaeNaming};

}  // namespace

constinit const Family kQwenImage21{
    .row = kQwenImage21Row,
    .parts = kQwenImage21Parts,
    .pipeline = "QwenImage21Pipeline",
    .other_pipelines = kQwenImage21Pipelines,
    .pipeline_settings = kQwenImage21Settings,
    .recognise = recognise_by<kQwenImage21, kQwenImage21Naming>,
    .naming = naming_by<kQwenImage21, kQwenImage21Naming>,
    .variant = qwen_image21_variant,
    .sampling = kQwenImage21Sampling,
    .complete = complete_by<qwen_image21_config, qwen_image21_vae_config>,
    .original_names = original_names_by<kQwenImage21, kQwenImage21Naming>,
    .to_folder = to_vl_generation_folder,
    .kohya_version = "qwen_image_21",
    .kohya_original_paths = true,
    .comfyui_reads_kohya = false,
    .architecture = "qwen-image-2.1",
    .implementation = "https://github.com/QwenLM/Qwen-Image-2.1",
    .marks = {0, kQwenImage21Heads, "qwen-image-2.1"},
    .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 1.0, "use_dynamic_shifting": true, "base_shift": 0.5,
  "max_shift": 0.9, "base_image_seq_len": 256, "max_image_seq_len": 8192,
  "shift_terminal": 0.02, "time_shift_type": "exponential"})",
    .bf16_native = true,
    .reference_pixels = 1024 * 1024,
    .references_fill_area = true,
    .make = make_model<QwenImage21Model>};

}  // namespace mantissa
