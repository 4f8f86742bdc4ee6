// Qwen-Image's family definition, apart from its networks.
#include "engine/models/qwen_image/qwen_image_family.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/qwen_image/qwen_image_config.h"
#include "engine/models/qwen_image/qwen_image_keys.h"
#include "engine/models/qwen_image/qwen_image_model.h"
#include "engine/models/qwen_image/qwen_image_variant.h"
#include "engine/models/transformer_names.h"
#include "engine/models/vae/qwen_vae_config.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kQwenImageGoals{"qwen-image-lora-16gb"};
/// A model that gives several images, and one that SimpleTuner trains in another way than its
/// authors did.
constexpr std::array kQwenImageNamesakes{
    NamesakeModel{.title = "Qwen-Image-Layered", .simpletuner = "layered*"},
    NamesakeModel{.title = "Qwen-Image-Edit-2509 with references at time 0",
                  .simpletuner = "edit-v2+"}};
/// The first as the pipeline's defaults, of a model whose name tells nothing.
constexpr std::array kQwenImageSampling{
    VariantSampling{"", 50, 4},          VariantSampling{"2512", 50, 4},
    VariantSampling{"Edit 2511", 50, 4}, VariantSampling{"Edit 2509", 50, 4},
    VariantSampling{"Edit", 50, 4},      VariantSampling{"Lightning", 8, 1}};
constexpr FamilyRow kQwenImageRow{
    .id = ModelFamily("qwen_image"),
    .title = "Qwen-Image",
    .models = "Qwen-Image, Qwen-Image-2512, Qwen-Image-Edit",
    .has_flow = true,
    .has_embeddings = true,
    .foreign = {.musubi_networks = "networks.lora_qwen_image",
                .musubi_versions = "original qwen_image edit edit-2509 "
                                   "edit-2511 qwen_image_edit",
                .onetrainer = "qwen",
                .ai_toolkit = "qwen_image qwen_image:* qwen_image_edit "
                              "qwen_image_edit_plus qwen_image_edit_plus:2511",
                .simpletuner = "qwen_image",
                .diffusion_pipe = "qwen_image"},
    .namesakes = kQwenImageNamesakes,
    .main_blocks = {.modulation = "denoiser.transformer_blocks.*_mod.*"},
    // musubi-tuner means to leave the modulation out, but by a pattern that no path matches.
    .elsewhere = {.musubi_layers = "attention+mlp denoiser.transformer_blocks.*_mod.*",
                  .simpletuner_layers = kFourProjections},
    .in_diffusion_pipe = {.weight_type = DiffusionPipeModel::kOfDiffusers},
    .letters = "QI",
    .goals = kQwenImageGoals};

/// Before its names in ComfyUI's files that hold every part.
constexpr std::string_view kQwenImageTextPrefix = "text_encoders.qwen25_7b.transformer.";
constexpr std::array kQwenImageParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "QwenImageTransformer2DModel"},
              .prefix = kQwenImagePrefix,
              .kohya = "lora_unet_",
              .comfyui = "diffusion_model.",
              .targets = kQwenImageTargets,
              .wide = kQwenImageWide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "Qwen2_5_VLForConditionalGeneration"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "Qwen2Tokenizer"},
              .tokenizer_ships = true,
              .vision = true,
              .prefix = kQwenImageTextPrefix,
              .kohya = "lora_te_",
              .comfyui = kQwenImageTextPrefix,
              .kohya_omits = "model.",
              .embedding = "qwen25_7b",
              .targets = kQwen3Targets},
    comfy_vae("AutoencoderKLQwenImage"),
};
constexpr std::array<std::string_view, 5> kQwenImagePipelines{
    "QwenImageImg2ImgPipeline", "QwenImageInpaintPipeline", "QwenImageEditPipeline",
    "QwenImageEditPlusPipeline", "QwenImageEditInpaintPipeline"};
/// Attention's modules have the names of other families', whose widths differ.
constexpr std::array<std::string_view, 9> kQwenImageHeads{
    "diffusion_model.transformer_blocks.0.img_mlp.net.",
    "diffusion_model.transformer_blocks.0.txt_mlp.net.",
    "diffusion_model.transformer_blocks.0.img_mod.",
    "lora_unet_transformer_blocks_0_img_mlp_net_",
    "lora_unet_transformer_blocks_0_txt_mlp_net_",
    "lora_unet_transformer_blocks_0_img_mod_",
    "transformer.transformer_blocks.0.img_mlp.net.",
    "transformer.transformer_blocks.0.txt_mlp.net.",
    "transformer.transformer_blocks.0.img_mod."};

/// The pipeline of a model that edits, the processor with which it reads images, and what tells
/// Edit-2511 in a single file.
void complete_edit_pipeline(ModelContents& model, const WeightSource& source) {
  constexpr const char *kClass = "_class_name", *kProcessor = "processor";
  const std::string_view pipeline = qwen_image_edit_pipeline(source);
  if (pipeline.empty()) {
    return;
  }
  if (qwen_image_variant(source).name == kQwenImageEdits.front() &&
      !has_qwen_image_edit_tensor(source)) {
    model.markers.push_back(std::string(kQwenImagePrefix) + kQwenImageEditTensor);
  }
  if (!model.pipeline.value(kClass, "").starts_with("QwenImageEdit")) {
    model.pipeline[kClass] = pipeline;  // another one would draw from text alone
  }
  const std::filesystem::path folder = source.path() / kProcessor;
  if (const auto entry = source.model_index().find(kProcessor);
      entry != source.model_index().end() && std::filesystem::is_directory(folder)) {
    model.pipeline[kProcessor] = *entry;
    model.folders[kProcessor] = folder;
  }
}

void complete_qwen_image(ModelContents& model, const WeightSource& source) {
  complete_config(model, source, kDenoiser, qwen_image_config);
  complete_config(model, source, kVae, qwen_vae_config);
  complete_edit_pipeline(model, source);
}

/// What Qwen-Image's files call their tensors.
constexpr TransformerNaming kQwenImageNaming{.mark = kQwenImageMark,
                                             .original_marks = {kQwenImageMark},
                                             .to_diffusers = qwen_image_to_diffusers,
                                             .to_original = qwen_image_to_original,
                                             .original_path = qwen_image_path,
                                             .te1 = qwen3_vl_weight,
                                             .vae = &kQwenVaeNaming};

}  // namespace

constinit const Family kQwenImage{.row = kQwenImageRow,
                                  .parts = kQwenImageParts,
                                  .pipeline = "QwenImagePipeline",
                                  .other_pipelines = kQwenImagePipelines,
                                  .recognise = recognise_by<kQwenImage, kQwenImageNaming>,
                                  .naming = naming_by<kQwenImage, kQwenImageNaming>,
                                  .variant = qwen_image_variant,
                                  .sampling = kQwenImageSampling,
                                  .complete = complete_qwen_image,
                                  .original_names = original_names_by<kQwenImage, kQwenImageNaming>,
                                  .to_folder = to_vl_generation_folder,
                                  .kohya_version = "qwen_image",
                                  .kohya_original_paths = true,
                                  .comfyui_reads_kohya = false,
                                  .architecture = "qwen-image",
                                  .implementation = "https://github.com/QwenLM/Qwen-Image",
                                  .marks = {0, kQwenImageHeads, "wen-image"},
                                  .scheduler = R"({"_class_name": "FlowMatchEulerDiscreteScheduler",
  "num_train_timesteps": 1000, "shift": 1.0, "use_dynamic_shifting": true, "base_shift": 0.5,
  "max_shift": 0.9, "base_image_seq_len": 256, "max_image_seq_len": 8192,
  "shift_terminal": 0.02, "time_shift_type": "exponential"})",
                                  .bf16_native = true,
                                  .reference_pixels = std::int64_t{1024} * 1024,
                                  .references_fill_area = true,
                                  .edit_variants = kQwenImageEdits,
                                  .assumed_edit = kQwenImageEdits[1],
                                  .edit_pipeline = "QwenImageEditPlusPipeline",
                                  .references_unread = qwen_image_unread,
                                  .make = make_model<QwenImageModel>};

}  // namespace mantissa
