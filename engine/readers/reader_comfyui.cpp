#include <array>

#include "engine/readers/reader_tensors.h"

namespace mantissa {
namespace {

constexpr ReaderSource kComfySources[] = {
    {"comfy/lora.py", "17358c8f73b581a0d22facc3c385822f09b8bfb1"},
    {"comfy/lora_convert.py", "2bffe2f4ce5763dcb83df6a670657b6d5c8f85a5"},
    {"comfy/utils.py", "09708eae709a992a5684bed3595ce4d07e705b4e"},
    {"comfy/weight_adapter/base.py", "9c0cf36cd7964978850fd40f8cf76ac2cf9f9e15"},
    {"comfy/weight_adapter/lora.py", "6f98b150e065f1ffc788558574a887835068bd40"},
    {"comfy/weight_adapter/loha.py, lokr.py", "a125cd84b054a57729b5eecab930ca9408719832"},
};

constexpr PathEdit kComfyProcessors[] = {{".to_out.0", ".processor.to_out"},
                                         {".to_", ".processor.to_"}};
constexpr ReaderPaths kComfyCheckpoint = ReaderPaths::checkpoint;
/// What its map of diffusers' paths leaves out, by family.
constexpr std::string_view kComfyNotInFlux2 = "time_guidance_embed.* *_stream_modulation*";
constexpr std::string_view kComfyInKrea2 =
    "*.attn.to_q *.attn.to_k *.attn.to_v *.attn.to_gate *.attn.to_out.0 *.ff.gate *.ff.up "
    "*.ff.down img_in time_embed.linear_1 time_embed.linear_2 time_mod_proj txt_in.linear_1 "
    "txt_in.linear_2 text_fusion.projector final_layer.linear";

constexpr NameRule kComfyNames[] = {
    // Every model by its own names.
    {"", kDenoiser, kComfyCheckpoint, "lora_unet_", true},
    {"", kDenoiser, kComfyCheckpoint, "diffusion_model."},
    // U-Nets by diffusers' names.
    {"sdxl sd15", kDenoiser, ReaderPaths::diffusers, "lora_unet_", true},
    {"sdxl sd15", kDenoiser, ReaderPaths::diffusers, "lycoris_", true},
    {.families = "sdxl sd15", .head = "", .edits = kComfyProcessors},
    {.families = "sdxl sd15", .head = "unet.", .edits = kComfyProcessors},
    // Transformers by diffusers' names, each by its own map.
    {.families = "pixart", .head = "transformer."},
    {.families = "pixart", .head = "base_model.model."},
    {.families = "pixart", .head = "unet.base_model.model."},
    {.families = "z_image", .head = "diffusion_model."},
    {.families = "z_image", .head = "transformer."},
    {.families = "z_image", .head = "lycoris_", .underscores = true},
    {.families = "z_image", .head = ""},
    {.families = "krea2", .head = "diffusion_model.", .only = kComfyInKrea2},
    {.families = "krea2", .head = "transformer.", .only = kComfyInKrea2},
    {.families = "krea2", .head = "lycoris_", .underscores = true, .only = kComfyInKrea2},
    {.families = "krea2", .head = "", .only = kComfyInKrea2},
    {.families = "flux2", .head = "transformer.", .except = kComfyNotInFlux2},
    {.families = "flux2", .head = "lycoris_", .underscores = true, .except = kComfyNotInFlux2},
    {.families = "flux2",
     .head = "lora_transformer_",
     .underscores = true,
     .except = kComfyNotInFlux2},
    {.families = "flux2", .head = "", .except = kComfyNotInFlux2},
    {.families = "flux1 chroma", .head = "transformer."},
    {.families = "flux1 chroma", .head = "lycoris_", .underscores = true},
    {.families = "flux1 chroma", .head = "lora_transformer_", .underscores = true},
    {.families = "flux1 chroma", .head = ""},
    {.families = "qwen_image qwen_image_21", .head = "transformer."},
    {.families = "qwen_image qwen_image_21", .head = "lycoris_", .underscores = true},
    {.families = "qwen_image qwen_image_21", .head = ""},
    {.families = "ernie_image", .head = "transformer."},
    // Text encoders.
    {.part = kTe1, .head = "{comfyui}"},
    {.part = kTe2, .head = "{comfyui}"},
    {.families = "sdxl sd15 flux1",
     .part = kTe1,
     .head = "lora_te_",
     .underscores = true,
     .only = "text_model.encoder.layers.*"},
    {.families = "sdxl sd15 flux1",
     .part = kTe1,
     .head = "lora_te1_",
     .underscores = true,
     .only = "text_model.encoder.layers.*"},
    {.families = "sdxl sd15 flux1",
     .part = kTe1,
     .head = "text_encoder.",
     .only = "text_model.encoder.layers.*"},
    {.families = "sdxl",
     .part = kTe2,
     .head = "lora_te2_",
     .underscores = true,
     .only = "text_model.encoder.layers.* text_projection"},
    {.families = "sdxl",
     .part = kTe2,
     .head = "text_encoder_2.",
     .only = "text_model.encoder.layers.*"},
    {.families = "chroma", .part = kTe1, .head = "lora_te1_", .underscores = true},
    {.families = "flux1", .part = kTe2, .head = "lora_te2_", .underscores = true},
    {.families = "flux1", .part = kTe2, .head = "lora_te3_", .underscores = true},
    {.families = "z_image flux2 krea2 anima qwen_image qwen_image_21 ernie_image",
     .part = kTe1,
     .head = "lora_te_",
     .underscores = true,
     .omits = "model."},
    {.families = "anima", .part = kTe2, .head = "lora_unet_llm_adapter_", .underscores = true},
};

constexpr std::array kComfyMoreTensors{
    TensorRule{".lora_A", AdapterRole::down},
    TensorRule{".lora_B", AdapterRole::up},
    TensorRule{".lora_A.default.weight", AdapterRole::down},
    TensorRule{".lora_B.default.weight", AdapterRole::up},
};
constexpr auto kComfyTensors =
    joined_rules(kKohyaTensors, kPeftTensors, kOldTensors, kMidTensors, kDoraTensors, kLohaTensors,
                 kLokrTensors, kLokrCoreTensors, kDiffTensors, kNormTensors, kComfyMoreTensors);

constexpr std::string_view kComfyFamilies =
    "sdxl sd15 pixart z_image flux1 chroma flux2 anima krea2 qwen_image_21 qwen_image "
    "ernie_image";

constexpr ReaderForm kComfyForms[] = {{.families = kComfyFamilies,
                                       .names = kComfyNames,
                                       .tensors = kComfyTensors,
                                       .dora = ReaderDora::base_norms}};

}  // namespace

extern const Reader kComfyUiReader{.key = "comfyui",
                                   .title = "ComfyUI",
                                   .project = "github.com/Comfy-Org/ComfyUI",
                                   .sources = kComfySources,
                                   .families = kComfyFamilies,
                                   .forms = kComfyForms};

}  // namespace mantissa
