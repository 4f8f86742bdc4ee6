#include <array>

#include "engine/readers/reader_tensors.h"

namespace mantissa {
namespace {

constexpr std::string_view kInvokeCommit = "8e71a8a519399d6db32054ae9afc7c6c4e2355af";
constexpr ReaderSource kInvokeSources[] = {
    {"invokeai/backend/model_manager/load/model_loaders/lora.py", kInvokeCommit},
    {"invokeai/backend/patches/lora_conversions/", kInvokeCommit},
    {"invokeai/backend/patches/layers/, layer_patcher.py", kInvokeCommit},
};

// Stable Diffusion by kohya's names alone.
constexpr NameRule kInvokeUnetNames[] = {
    {"sdxl", kDenoiser, ReaderPaths::checkpoint, "lora_unet_", true},
    {.head = "lora_unet_", .underscores = true},
    {.families = "sd15", .part = kTe1, .head = "lora_te_", .underscores = true},
    {.families = "sdxl", .part = kTe1, .head = "lora_te1_", .underscores = true},
    {.families = "sdxl", .part = kTe2, .head = "lora_te2_", .underscores = true},
};
constexpr auto kInvokeUnetTensors =
    joined_rules(kKohyaTensors, kMidTensors, kDoraTensors, kLohaTensors, kLokrTensors,
                 kLokrCoreTensors, kDiffTensors, kNormTensors);

constexpr NameRule kInvokeZImageNames[] = {
    {.head = "transformer."},
    {.head = "diffusion_model."},
    {.head = "base_model.model.transformer."},
    {.head = "transformer.diffusion_model."},
    {.head = ""},
    {.head = "lora_unet__",
     .underscores = true,
     .only = "*.attention.to_q *.attention.to_k *.attention.to_v *.feed_forward.*"},
    {.part = kTe1, .head = "text_encoder."},
    {.part = kTe1, .head = "base_model.model.text_encoder."},
};
constexpr auto kInvokeZImageTensors = joined_rules(kKohyaTensors, kPeftTensors, kDoraTensors);

// FLUX.1: each trainer's names have a form of their own; all of a file must be of it.
constexpr std::string_view kInvokeFlux1Kohya =
    "lora_unet_double_blocks_ lora_unet_single_blocks_ lora_unet_final_layer_linear "
    "lora_te1_text_model_encoder_layers_ lora_te2_encoder_block_";
constexpr NameRule kInvokeFlux1KohyaNames[] = {
    {.paths = ReaderPaths::checkpoint,
     .head = "lora_unet_",
     .underscores = true,
     .only = "double_blocks.* single_blocks.*"},
    {.part = kTe1, .head = "lora_te1_", .underscores = true},
    {.part = kTe2, .head = "lora_te2_", .underscores = true},
};
constexpr std::string_view kInvokeFlux1OneTrainer =
    "lora_transformer_transformer_blocks_ lora_transformer_single_transformer_blocks_ "
    "lora_te1_text_model_encoder_layers_ lora_te2_encoder_block_";
constexpr std::string_view kInvokeFlux1Double = "transformer_blocks.*";
constexpr std::string_view kInvokeFlux1Single = "single_transformer_blocks.*";
constexpr NameRule kInvokeFlux1OneTrainerNames[] = {
    {.head = "lora_transformer_",
     .underscores = true,
     .only = kInvokeFlux1Double,
     .shares = ReaderShares::all},
    {.head = "lora_transformer_", .underscores = true, .only = kInvokeFlux1Single},
    {.part = kTe1, .head = "lora_te1_", .underscores = true},
    {.part = kTe2, .head = "lora_te2_", .underscores = true},
};
// Of the modules outside of the blocks those that its map names.
constexpr std::string_view kInvokeFlux1Outer =
    "single_transformer_blocks.* time_text_embed.timestep_embedder.* "
    "time_text_embed.text_embedder.* context_embedder x_embedder proj_out";
constexpr NameRule kInvokeFlux1DiffusersNames[] = {
    {.head = "transformer.", .only = kInvokeFlux1Double, .shares = ReaderShares::all},
    {.head = "transformer.", .only = kInvokeFlux1Outer},
};
constexpr NameRule kInvokeFlux1PeftNames[] = {
    {.head = "base_model.model.", .only = kInvokeFlux1Double, .shares = ReaderShares::all},
    {.head = "base_model.model.", .only = kInvokeFlux1Outer},
};
constexpr std::string_view kInvokePeftEnds = "lora_A.weight lora_B.weight";
constexpr NameRule kInvokeFlux1CheckpointNames[] = {
    {.paths = ReaderPaths::checkpoint, .head = "diffusion_model."},
    {.paths = ReaderPaths::checkpoint, .head = "base_model.model."},
};
constexpr std::string_view kInvokeLycoris = ".lokr_ .hada_";
constexpr std::string_view kInvokeFlux1Ends =
    "lora_A.weight lora_B.weight lokr_w1 lokr_w2 lokr_w1_a lokr_w1_b lokr_w2_a lokr_w2_b lokr_t2 "
    "hada_w1_a hada_w1_b hada_w2_a hada_w2_b hada_t1 hada_t2 alpha dora_scale diff";
constexpr std::array kInvokeDownUp{
    TensorRule{".lora_down.weight", AdapterRole::down},
    TensorRule{".lora_up.weight", AdapterRole::up},
};
constexpr std::array kInvokeAlphaDiff{
    TensorRule{".alpha", AdapterRole::alpha},
    TensorRule{".diff", AdapterRole::diff},
};
constexpr auto kInvokeFlux1AiToolkitTensors = joined_rules(kPeftTensors, kInvokeDownUp);
constexpr auto kInvokeFlux1CheckpointTensors = joined_rules(
    kPeftTensors, kDoraTensors, kLohaTensors, kLokrTensors, kLokrCoreTensors, kInvokeAlphaDiff);

constexpr ReaderForm kInvokeForms[] = {
    {.families = "sdxl",
     .when = {.every_name_begins = "lora_unet_ lora_te1_ lora_te2_"},
     .names = kInvokeUnetNames,
     .tensors = kInvokeUnetTensors,
     .dora = ReaderDora::per_input},
    {.families = "sd15",
     .when = {.every_name_begins = "lora_unet_ lora_te_"},
     .names = kInvokeUnetNames,
     .tensors = kInvokeUnetTensors,
     .dora = ReaderDora::per_input},
    {.families = "flux1",
     .when = {.every_name_ends = kInvokePeftEnds,
              .names_have = "transformer.single_transformer_blocks.0.attn.to_q.lora_A.weight "
                            "transformer.transformer_blocks.0.attn.add_q_proj.lora_A.weight"},
     .names = kInvokeFlux1DiffusersNames,
     .tensors = kPeftTensors,
     .scale = ReaderScale::none,
     .unknown_name = Unread::refused},
    {.families = "flux1",
     .when = {.every_name_ends = kInvokePeftEnds,
              .names_have = "base_model.model.single_transformer_blocks.0.attn.to_q.lora_A.weight "
                            "base_model.model.transformer_blocks.0.attn.add_q_proj.lora_A.weight"},
     .names = kInvokeFlux1PeftNames,
     .tensors = kPeftTensors,
     .scale = ReaderScale::none,
     .unknown_name = Unread::refused},
    {.families = "flux1",
     .when = {.every_name_begins = kInvokeFlux1Kohya},
     .names = kInvokeFlux1KohyaNames,
     .tensors = kInvokeUnetTensors,
     .dora = ReaderDora::per_input},
    {.families = "flux1",
     .when = {.every_name_begins = kInvokeFlux1OneTrainer},
     .names = kInvokeFlux1OneTrainerNames,
     .tensors = kInvokeUnetTensors,
     .dora = ReaderDora::per_input},
    {.families = "flux1",
     .when = {.a_name_begins = "diffusion_model.double_blocks. diffusion_model.single_blocks.",
              .no_name_has = kInvokeLycoris},
     .names = kInvokeFlux1CheckpointNames,
     .tensors = kInvokeFlux1AiToolkitTensors,
     .scale = ReaderScale::none,
     .unknown_tensor = Unread::refused},
    {.families = "flux1",
     .when = {.every_name_begins = "diffusion_model. base_model.model.",
              .every_name_ends = kInvokeFlux1Ends,
              .a_name_has = ".double_blocks. .single_blocks."},
     .names = kInvokeFlux1CheckpointNames,
     .tensors = kInvokeFlux1CheckpointTensors,
     .dora = ReaderDora::per_input},
    {.families = "flux1", .unknown_name = Unread::refused, .unknown_tensor = Unread::refused},
    {.families = "z_image",
     .when = {.a_name_has = ".lora_A.weight"},
     .names = kInvokeZImageNames,
     .tensors = kPeftTensors,
     .scale = ReaderScale::none},
    {.families = "z_image",
     .names = kInvokeZImageNames,
     .tensors = kInvokeZImageTensors,
     .dora = ReaderDora::per_input},
};

}  // namespace

extern const Reader kInvokeAiReader{.key = "invokeai",
                                    .title = "InvokeAI",
                                    .project = "github.com/invoke-ai/InvokeAI",
                                    .sources = kInvokeSources,
                                    .families = "sdxl sd15 flux1 z_image",
                                    .forms = kInvokeForms};

}  // namespace mantissa
