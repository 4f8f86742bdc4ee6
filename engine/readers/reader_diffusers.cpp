#include <array>

#include "engine/readers/reader_tensors.h"

namespace mantissa {
namespace {

constexpr ReaderSource kHfSources[] = {
    {"loaders/lora_pipeline.py", "0.42.1"},
    {"loaders/lora_conversion_utils.py", "0.42.1"},
    {"loaders/peft.py, utils/peft_utils.py, utils/state_dict_utils.py", "0.42.1"},
};

constexpr ReaderPaths kHfCheckpoint = ReaderPaths::checkpoint;

// kohya's names, of Stable Diffusion: SDXL's blocks also by the authors' names.
constexpr NameRule kHfKohyaNames[] = {
    {"sdxl", kDenoiser, kHfCheckpoint, "lora_unet_", true},
    {.families = "sdxl sd15", .head = "lora_unet_", .underscores = true},
    {.part = kTe1, .head = "lora_te_", .underscores = true},
    {.part = kTe1, .head = "lora_te1_", .underscores = true},
    {.part = kTe2, .head = "lora_te2_", .underscores = true},
};
constexpr PathEdit kHfProcessors[] = {{".to_out.0", ".processor.to_out"},
                                      {".to_", ".processor.to_"}};
constexpr NameRule kHfUnetNames[] = {
    {.head = "unet."},
    {.head = "unet.", .edits = kHfProcessors, .only = "*.to_q *.to_k *.to_v *.to_out.0"},
    {.part = kTe1, .head = "text_encoder."},
    {.part = kTe1, .head = "text_encoder.", .omits = "text_model."},
    {.part = kTe2, .head = "text_encoder_2."},
    {.part = kTe2, .head = "text_encoder_2.", .omits = "text_model."},
};

// Transformers, after PEFT's names of their own modules.
constexpr NameRule kHfTransformerNames[] = {
    {.head = "transformer."},
    {.families = "anima", .part = kTe2, .head = "text_conditioner."},
};
// Of FLUX.1's own number of blocks and their width, which Chroma has too. Modules outside of the
// blocks are converted to names without "transformer.", which aren't loaded; nor is T5.
constexpr std::string_view kHfFlux1Kohya =
    "double_blocks.*.img_attn.* double_blocks.*.txt_attn.* double_blocks.*.img_mlp.* "
    "double_blocks.*.txt_mlp.* double_blocks.*.img_mod.lin double_blocks.*.txt_mod.lin "
    "single_blocks.*.linear1 single_blocks.*.linear2 single_blocks.*.modulation.lin";
constexpr std::string_view kHfFlux1Passed =
    "lora_unet_img_in.* lora_unet_txt_in.* lora_unet_time_in_* lora_unet_vector_in_* "
    "lora_unet_guidance_in_* lora_unet_final_layer_* diffusion_model.img_in.* "
    "diffusion_model.txt_in.* diffusion_model.time_in.* diffusion_model.vector_in.* "
    "diffusion_model.guidance_in.* diffusion_model.final_layer.* lora_te* text_encoders.* *.diff_b";
constexpr NameRule kHfFlux1KohyaNames[] = {
    {.paths = kHfCheckpoint, .head = "lora_unet_", .underscores = true, .only = kHfFlux1Kohya},
    {.paths = kHfCheckpoint, .head = "diffusion_model.", .only = kHfFlux1Kohya},
    {.families = "flux1", .part = kTe1, .head = "lora_te_", .underscores = true},
    {.families = "flux1", .part = kTe1, .head = "lora_te1_", .underscores = true},
    {.families = "flux1", .part = kTe1, .head = "text_encoders.clip_l.transformer."},
};
// OneTrainer's: of the blocks their attention alone.
constexpr NameRule kHfFlux1OneTrainerNames[] = {
    {.head = "lora_transformer_",
     .underscores = true,
     .only = "transformer_blocks.*.attn.* single_transformer_blocks.*.attn.* context_embedder "
             "norm_out.linear proj_out x_embedder time_text_embed.*"},
    {.families = "flux1",
     .part = kTe1,
     .head = "lora_te1_",
     .underscores = true,
     .only = "text_model.encoder.layers.*"},
};
constexpr NameRule kHfFlux1Names[] = {
    {.head = "transformer."},
    {.families = "flux1", .part = kTe1, .head = "text_encoder."},
    {.families = "flux1", .part = kTe1, .head = "text_encoder.", .omits = "text_model."},
};
constexpr std::string_view kHfFlux2Kohya =
    "double_blocks.*.img_attn.* double_blocks.*.txt_attn.* double_blocks.*.img_mlp.* "
    "double_blocks.*.txt_mlp.* single_blocks.*.linear1 single_blocks.*.linear2 img_in txt_in "
    "time_in.in_layer time_in.out_layer final_layer.linear";
constexpr NameRule kHfFlux2KohyaNames[] = {
    {.paths = kHfCheckpoint, .head = "lora_unet_", .underscores = true, .only = kHfFlux2Kohya},
};
constexpr NameRule kHfFlux2Names[] = {
    {.paths = kHfCheckpoint, .head = "diffusion_model."},
    {.paths = kHfCheckpoint, .head = "base_model.model."},
    {.head = "diffusion_model.", .only = "transformer_blocks.* single_transformer_blocks.*"},
    {.head = "base_model.model.", .only = "transformer_blocks.* single_transformer_blocks.*"},
};
constexpr PathEdit kHfZImageOut[] = {{".to_out.0", ".out"}};
constexpr NameRule kHfZImageNames[] = {
    {.head = "diffusion_model."},
    {.head = ""},
    {.head = "lora_unet_", .underscores = true},
    {.paths = kHfCheckpoint, .head = "lora_unet_", .underscores = true, .only = "*.attention.qkv"},
    {.head = "lora_unet_", .underscores = true, .edits = kHfZImageOut, .only = "*.to_out.0"},
};
constexpr NameRule kHfKrea2Names[] = {
    {.paths = kHfCheckpoint, .head = "diffusion_model."},
    {.paths = kHfCheckpoint, .head = "base_model.model."},
};
// Of Qwen-Image-2.1 modules of blocks by kohya's names as far as their words are told apart.
constexpr NameRule kHfQwenImageNames[] = {
    {.head = "diffusion_model."},
    {.families = "qwen_image", .head = "lora_unet_", .underscores = true},
    {.families = "qwen_image_21",
     .head = "lora_unet_",
     .underscores = true,
     .only = "transformer_blocks.*.attn.* transformer_blocks.*.img_mlp.out img_in proj_out "
             "norm_out.linear time_text_embed.*"},
};
constexpr NameRule kHfErnieImageNames[] = {
    {.head = "transformer."},
    {.head = "diffusion_model."},
    {.head = "base_model.model."},
};
constexpr NameRule kHfAnimaNames[] = {
    {.paths = kHfCheckpoint, .head = "diffusion_model."},
    {.part = kTe2, .head = "diffusion_model.llm_adapter."},
    {.head = "transformer."},
    {.part = kTe2, .head = "text_conditioner."},
};

constexpr std::array kHfMagnitudes{
    TensorRule{".lora_magnitude_vector", AdapterRole::magnitude},
    TensorRule{".lora_magnitude_vector.weight", AdapterRole::magnitude},
    TensorRule{".lora_B.bias", AdapterRole::alpha, BesideRole::up_bias},
};
constexpr auto kHfUnetTensors = joined_rules(kPeftTensors, kOldTensors, kHfMagnitudes);
constexpr auto kHfTransformerTensors = joined_rules(kPeftTensors, kHfMagnitudes);
constexpr std::array kHfAlpha{TensorRule{".alpha", AdapterRole::alpha}};
constexpr auto kHfZImageTensors = joined_rules(kPeftTensors, kHfAlpha);
constexpr auto kHfFlux1Tensors = joined_rules(kHfTransformerTensors, kHfAlpha);

constexpr std::string_view kHfKohyaHeads = "lora_te_ lora_unet_ lora_te1_ lora_te2_";

constexpr ReaderForm kHfForms[] = {
    {.families = "sdxl sd15",
     .when = {.every_name_begins = kHfKohyaHeads},
     .names = kHfKohyaNames,
     .tensors = kKohyaTensors,
     .unknown_tensor = Unread::refused},
    {.families = "sdxl sd15",
     .names = kHfUnetNames,
     .tensors = kHfUnetTensors,
     .scale = ReaderScale::config,
     .dora = ReaderDora::per_output,
     .required_words = "lora"},
    {.families = "flux1 chroma",
     .when = {.a_name_begins = "lora_transformer_", .a_name_has = ".lora_down.weight"},
     .names = kHfFlux1OneTrainerNames,
     .tensors = kKohyaTensors,
     .unknown_name = Unread::refused,
     .unknown_tensor = Unread::refused},
    {.families = "flux1 chroma",
     .when = {.a_name_has = ".lora_down.weight"},
     .names = kHfFlux1KohyaNames,
     .tensors = kKohyaTensors,
     .unknown_name = Unread::refused,
     .unknown_tensor = Unread::refused,
     .passed_over = kHfFlux1Passed},
    // A complete FLUX.1 alone is read by PEFT's names of the authors' modules.
    {.families = "flux1 chroma",
     .when = {.a_name_has = "base_model"},
     .unknown_name = Unread::refused,
     .unknown_tensor = Unread::refused},
    // Only here alphas count beside PEFT's names.
    {.families = "flux1 chroma",
     .when = {.a_name_has = ".alpha"},
     .names = kHfFlux1Names,
     .tensors = kHfFlux1Tensors,
     .dora = ReaderDora::per_output},
    {.families = "flux1 chroma",
     .names = kHfFlux1Names,
     .tensors = kHfTransformerTensors,
     .scale = ReaderScale::config,
     .dora = ReaderDora::per_output},
    {.families = "flux2",
     .when = {.a_name_has = ".lora_down.weight"},
     .names = kHfFlux2KohyaNames,
     .tensors = kKohyaTensors},
    {.families = "flux2",
     .when = {.a_name_begins = "diffusion_model. base_model.model."},
     .names = kHfFlux2Names,
     .tensors = kPeftTensors,
     .scale = ReaderScale::none,
     .unknown_name = Unread::refused,
     .unknown_tensor = Unread::refused},
    {.families = "z_image",
     .when = {.a_name_has = "lora_unet_", .no_name_has = ".lokr_"},
     .names = kHfZImageNames,
     .tensors = kKohyaTensors,
     .unknown_tensor = Unread::refused},
    {.families = "z_image",
     .when = {.a_name_has = ".alpha diffusion_model. default.", .no_name_has = ".lokr_ .lora_A"},
     .names = kHfZImageNames,
     .tensors = kKohyaTensors,
     .unknown_tensor = Unread::refused},
    {.families = "z_image",
     .when = {.a_name_has = ".alpha diffusion_model. default.", .no_name_has = ".lokr_"},
     .names = kHfZImageNames,
     .tensors = kHfZImageTensors,
     .unknown_tensor = Unread::refused},
    {.families = "krea2",
     .when = {.a_name_begins = "diffusion_model. base_model.model."},
     .names = kHfKrea2Names,
     .tensors = kPeftTensors,
     .scale = ReaderScale::none,
     .unknown_name = Unread::refused,
     .unknown_tensor = Unread::refused},
    {.families = "qwen_image qwen_image_21",
     .when = {.a_name_has = "lora_unet_"},
     .names = kHfQwenImageNames,
     .tensors = kKohyaTensors,
     .unknown_tensor = Unread::refused},
    {.families = "qwen_image qwen_image_21",
     .when = {.a_name_begins = "diffusion_model."},
     .names = kHfQwenImageNames,
     .tensors = kKohyaTensors,
     .unknown_tensor = Unread::refused},
    {.families = "anima",
     .names = kHfAnimaNames,
     .tensors = kHfTransformerTensors,
     .scale = ReaderScale::config,
     .dora = ReaderDora::per_output,
     .required_words = "lora"},
    {.families = "ernie_image",
     .names = kHfErnieImageNames,
     .tensors = kHfTransformerTensors,
     .scale = ReaderScale::config,
     .dora = ReaderDora::per_output,
     .required_words = "lora"},
    {.families = "flux2 z_image krea2 qwen_image_21 qwen_image",
     .names = kHfTransformerNames,
     .tensors = kHfTransformerTensors,
     .scale = ReaderScale::config,
     .dora = ReaderDora::per_output,
     .required_words = "lora"},
};

}  // namespace

extern const Reader kDiffusersReader{
    .key = "diffusers",
    .title = "diffusers",
    .project = "pypi.org/project/diffusers",
    .sources = kHfSources,
    .families =
        "sdxl sd15 flux1 chroma flux2 z_image krea2 anima qwen_image_21 qwen_image ernie_image",
    .dropped = "dora_scale",
    .forms = kHfForms};

}  // namespace mantissa
