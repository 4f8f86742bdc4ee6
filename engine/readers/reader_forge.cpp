#include <array>

#include "engine/readers/reader_tensors.h"

namespace mantissa {
namespace {

constexpr ReaderSource kForgeSources[] = {
    {"packages_3rdparty/comfyui_lora_collection/lora.py",
     "dfdcbab685e57677014f05a3309b48cc87383167"},
    {"packages_3rdparty/comfyui_lora_collection/utils.py",
     "dfdcbab685e57677014f05a3309b48cc87383167"},
    {"backend/patcher/lora.py", "dfdcbab685e57677014f05a3309b48cc87383167"},
};

constexpr PathEdit kForgeProcessors[] = {{".to_out.0", ".processor.to_out"},
                                         {".to_", ".processor.to_"}};
constexpr std::string_view kForgeLayers = "text_model.encoder.layers.*";

constexpr NameRule kForgeNames[] = {
    {.paths = ReaderPaths::checkpoint, .head = "lora_unet_", .underscores = true},
    {.paths = ReaderPaths::checkpoint, .head = "diffusion_model."},
    {.head = "lora_unet_", .underscores = true},
    {.head = "lycoris_", .underscores = true},
    {.head = "", .edits = kForgeProcessors},
    {.head = "unet.", .edits = kForgeProcessors},
    {.part = kTe1, .head = "lora_te_", .underscores = true, .only = kForgeLayers},
    {.part = kTe1, .head = "lora_te1_", .underscores = true, .only = kForgeLayers},
    {.part = kTe1, .head = "text_encoder.", .only = kForgeLayers},
    {.part = kTe2,
     .head = "lora_te2_",
     .underscores = true,
     .only = "text_model.encoder.layers.* text_projection"},
    {.part = kTe2, .head = "text_encoder_2.", .only = kForgeLayers},
};

constexpr NameRule kForgeFlux1Names[] = {
    {.paths = ReaderPaths::checkpoint, .head = "lora_unet_", .underscores = true},
    {.paths = ReaderPaths::checkpoint, .head = "diffusion_model."},
    {.head = "transformer."},
    {.head = "lycoris_", .underscores = true},
    {.head = "lora_transformer_", .underscores = true},
    {.part = kTe1, .head = "lora_te_", .underscores = true, .only = kForgeLayers},
    {.part = kTe1, .head = "lora_te1_", .underscores = true, .only = kForgeLayers},
    {.part = kTe1, .head = "text_encoder.", .only = kForgeLayers},
    {.part = kTe2, .head = "lora_te1_", .underscores = true},
    {.part = kTe2, .head = "lora_te2_", .underscores = true},
    {.part = kTe2, .head = "lora_te3_", .underscores = true},
};

constexpr auto kForgeTensors =
    joined_rules(kKohyaTensors, kPeftTensors, kOldTensors, kMidTensors, kDoraTensors, kLohaTensors,
                 kLokrTensors, kLokrCoreTensors, kDiffTensors, kNormTensors);

constexpr ReaderForm kForgeForms[] = {{.families = "sdxl sd15",
                                       .names = kForgeNames,
                                       .tensors = kForgeTensors,
                                       .dora = ReaderDora::base_norms},
                                      {.families = "flux1",
                                       .names = kForgeFlux1Names,
                                       .tensors = kForgeTensors,
                                       .dora = ReaderDora::base_norms}};

}  // namespace

extern const Reader kForgeReader{.key = "forge",
                                 .title = "Forge",
                                 .project = "github.com/lllyasviel/stable-diffusion-webui-forge",
                                 .sources = kForgeSources,
                                 .families = "sdxl sd15 flux1",
                                 .forms = kForgeForms};

}  // namespace mantissa
