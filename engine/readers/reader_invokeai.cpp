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
                                    .families = "sdxl sd15 z_image",
                                    .forms = kInvokeForms};

}  // namespace mantissa
