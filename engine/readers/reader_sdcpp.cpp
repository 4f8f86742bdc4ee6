#include <array>

#include "engine/readers/reader_tensors.h"

namespace mantissa {
namespace {

constexpr std::string_view kSdCppCommit = "97d2990807fe6d558e395f8764198d7c7e7b411c";
constexpr ReaderSource kSdCppSources[] = {
    {"src/name_conversion.cpp", kSdCppCommit},
    {"src/model/adapter/lora.hpp", kSdCppCommit},
};

constexpr ReaderPaths kSdCppCheckpoint = ReaderPaths::checkpoint;
constexpr PathEdit kSdCppToOut[] = {{".to_out.0", ".to_out"}};
constexpr PathEdit kSdCppProcessors[] = {{".to_out.0", ".processor.to_out"},
                                         {".to_", ".processor.to_"}};
constexpr std::string_view kSdCppOut = "*.to_out.0";
constexpr std::string_view kSdCppProjections = "*.to_q *.to_k *.to_v *.to_out.0";

// Names with underscores become dotted again by a list of words that keep theirs: what has others
// isn't found.
constexpr std::string_view kSdCppUnspelled = "time_embed* label_emb* add_embedding*";
constexpr NameRule kSdCppUnetNames[] = {
    {.paths = kSdCppCheckpoint,
     .head = "lora_unet_",
     .underscores = true,
     .except = kSdCppUnspelled},
    {.paths = kSdCppCheckpoint, .head = "diffusion_model."},
    {.paths = kSdCppCheckpoint, .head = "model.diffusion_model."},
    {.head = "lora_unet_", .underscores = true, .except = kSdCppUnspelled},
    {.head = "lycoris_",
     .underscores = true,
     .only = "down_blocks.* mid_block.* up_blocks.* conv_in conv_out"},
    {.head = "unet."},
    {.head = "", .only = "down_blocks.* mid_block.* up_blocks.* conv_in conv_out"},
    {.head = "unet.", .edits = kSdCppToOut, .only = kSdCppOut},
    {.head = "unet.", .edits = kSdCppProcessors, .only = kSdCppProjections},
    {.part = kTe1, .head = "lora_te_", .underscores = true},
    {.part = kTe1, .head = "lora_te1_", .underscores = true},
    {.part = kTe1, .head = "text_encoder."},
    {.part = kTe2, .head = "lora_te2_", .underscores = true},
    {.part = kTe2, .head = "text_encoder_2."},
};
// Transformers, their fused layers also by their shares.
constexpr NameRule kSdCppTransformerNames[] = {
    {.paths = kSdCppCheckpoint, .head = "diffusion_model."},
    {.paths = kSdCppCheckpoint, .head = "transformer."},
    {.paths = kSdCppCheckpoint, .head = "model.diffusion_model."},
    {.head = "diffusion_model."},
    {.head = "transformer."},
    {.families = "z_image",
     .head = "lora_unet_",
     .underscores = true,
     .only = "layers.*.attention.to_*"},
    {.families = "z_image",
     .paths = kSdCppCheckpoint,
     .head = "lora_unet_",
     .underscores = true,
     .only = "layers.*.attention.*"},
    {.families = "krea2",
     .paths = kSdCppCheckpoint,
     .head = "lora_unet_",
     .underscores = true,
     .except = "*layerwise_blocks* *refiner_blocks*"},
};

// FLUX.1: of underscored names only the blocks' words are kept. Shares of fused layers are joined
// until one is missing, and the output's halves stay as diffusers orders them.
constexpr std::string_view kSdCppFlux1Blocks = "transformer_blocks.* single_transformer_blocks.*";
constexpr NameRule kSdCppFlux1Names[] = {
    {.paths = kSdCppCheckpoint, .head = "diffusion_model."},
    {.paths = kSdCppCheckpoint, .head = "transformer."},
    {.paths = kSdCppCheckpoint, .head = "model.diffusion_model."},
    {.paths = kSdCppCheckpoint,
     .head = "lora_unet_",
     .underscores = true,
     .only = "double_blocks.* single_blocks.*"},
    {.head = "diffusion_model.", .shares = ReaderShares::in_order, .ignores_exchange = true},
    {.head = "transformer.", .shares = ReaderShares::in_order, .ignores_exchange = true},
    {.head = "", .only = kSdCppFlux1Blocks, .shares = ReaderShares::in_order},
    {.head = "lora_unet_",
     .underscores = true,
     .only = kSdCppFlux1Blocks,
     .shares = ReaderShares::in_order},
    {.head = "lycoris_",
     .underscores = true,
     .only = kSdCppFlux1Blocks,
     .shares = ReaderShares::in_order},
    {.part = kTe1, .head = "{comfyui}"},
    {.families = "flux1", .part = kTe1, .head = "lora_te1_", .underscores = true},
    {.families = "chroma", .part = kTe1, .head = "lora_te3_", .underscores = true},
    {.part = kTe2, .head = "{comfyui}"},
    {.part = kTe2, .head = "lora_te3_", .underscores = true},
};

constexpr std::array kSdCppDefaultTensors{
    TensorRule{".lora_A.default.weight", AdapterRole::down},
    TensorRule{".lora_B.default.weight", AdapterRole::up},
    TensorRule{".lora_A", AdapterRole::down},
    TensorRule{".lora_B", AdapterRole::up},
};
constexpr auto kSdCppTensors =
    joined_rules(kKohyaTensors, kPeftTensors, kOldTensors, kMidTensors, kLohaTensors, kLokrTensors,
                 kDiffTensors, kSdCppDefaultTensors);

constexpr ReaderForm kSdCppForms[] = {
    {.families = "sdxl sd15", .names = kSdCppUnetNames, .tensors = kSdCppTensors},
    {.families = "flux1 chroma", .names = kSdCppFlux1Names, .tensors = kSdCppTensors},
    {.families = "z_image krea2 ernie_image",
     .names = kSdCppTransformerNames,
     .tensors = kSdCppTensors},
};

}  // namespace

extern const Reader kSdCppReader{.key = "sdcpp",
                                 .title = "stable-diffusion.cpp",
                                 .project = "github.com/leejet/stable-diffusion.cpp",
                                 .sources = kSdCppSources,
                                 .families = "sdxl sd15 flux1 chroma z_image krea2 ernie_image",
                                 .forms = kSdCppForms};

}  // namespace mantissa
