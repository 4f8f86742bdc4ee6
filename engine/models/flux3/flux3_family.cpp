// FLUX.3's family definition, apart from its networks.
#include "engine/models/flux3/flux3_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_titles.h"
#include "engine/io/model_writer.h"
#include "engine/models/flux3/flux3_config.h"
#include "engine/models/flux3/flux3_keys.h"
#include "engine/models/flux3/flux3_model.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/transformer_names.h"
#include "engine/models/vae/flux2_vae.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kFlux3Goals{"flux3-klein-lora-12gb"};
constexpr std::array kFlux3Sampling{VariantSampling{"16-step", 16, 1}};
constexpr FamilyRow kFlux3Row{.id = ModelFamily("flux3"),
                              .title = "FLUX.3 klein",
                              .has_flow = true,
                              .has_embeddings = true,
                              .letters = "FX3",
                              .goals = kFlux3Goals};

/// Before its names in ComfyUI's files that hold every part.
constexpr std::string_view kFlux3TextPrefix = "text_encoders.qwen3vl_4b.transformer.";
constexpr std::array kFlux3Parts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "Flux3Transformer2DModel"},
              .prefix = kFlux3Prefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kFlux3Targets,
              .wide = kFlux3Wide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen3VLForConditionalGeneration"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .tokenizer_ships = true,
              .vision = true,
              .prefix = kFlux3TextPrefix,
              .kohya = "lora_te_",
              .comfyui = kFlux3TextPrefix,
              .embedding = "qwen3_vl",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKLFlux2"),
};
constexpr std::array<std::string_view, 1> kFlux3Pipelines{"Flux3DistilledModularPipeline"};
constexpr std::array<std::string_view, 8> kFlux3Heads{"diffusion_model.content_mode_blocks.",
                                                      "diffusion_model.txt_mode_blocks.",
                                                      "diffusion_model.single_blocks.0.q_proj",
                                                      "lora_unet_content_mode_blocks_",
                                                      "lora_unet_txt_mode_blocks_",
                                                      "lora_unet_single_blocks_0_q_proj",
                                                      "transformer.mode_blocks.",
                                                      "transformer.txt_mode_blocks."};

/// What is distilled is a flow map, whatever it is called.
ModelVariant flux3_variant(const WeightSource& source) {
  if (source.contains(kDenoiser, kFlux3Target)) {
    return {"16-step", true,
            message<"it is a flow map, distilled from FLUX.3 Image klein Base; it has '{tensor}'">(
                kFlux3Target)};
  }
  return {"Base", false, message<"it is no flow map">()};
}

/// What FLUX.3's files call their tensors.
constexpr TransformerNaming kFlux3Naming{.mark = kFlux3Mark,
                                         .original_marks = {kFlux3OriginalMark},
                                         .to_diffusers = flux3_to_diffusers,
                                         .to_original = flux3_to_original,
                                         .original_path = flux3_original_path,
                                         .te1 = qwen3_weight,
                                         .vae = &kFlux2VaeNaming};

}  // namespace

constinit const Family kFlux3{.row = kFlux3Row,
                              .parts = kFlux3Parts,
                              .pipeline = "Flux3ModularPipeline",
                              .other_pipelines = kFlux3Pipelines,
                              .recognise = recognise_by<kFlux3, kFlux3Naming>,
                              .naming = naming_by<kFlux3, kFlux3Naming>,
                              .variant = flux3_variant,
                              .sampling = kFlux3Sampling,
                              .complete = complete_by<flux3_config, flux2_vae_config>,
                              .original_names = original_names_by<kFlux3, kFlux3Naming>,
                              .to_folder = to_vl_generation_folder,
                              .kohya_version = "flux3",
                              .kohya_original_paths = true,
                              .comfyui_reads_kohya = false,
                              .architecture = "flux-3",
                              .implementation = "diffusers",
                              .marks = {0, kFlux3Heads, "flux-3"},
                              .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 6.93})",
                              .bf16_native = true,
                              .reference_pixels = 1024 * 1024,
                              .lone_reference_pixels = 4 * 1024 * 1024,
                              .reference_mark = "image_cond",
                              .make = make_model<Flux3Model>};

}  // namespace mantissa
