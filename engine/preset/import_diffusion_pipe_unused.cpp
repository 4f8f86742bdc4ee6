#include "engine/preset/import_diffusion_pipe_rules.h"

namespace mantissa {
namespace {

using enum ImportKind;

/// Keys of models whose families aren't offered, or that no model reads.
constexpr RuleText kOfOtherModels = words<"Not used there.">;

constexpr DiffusionPipeRule kPipeUnusedRules[] = {
    // paths
    {"output_dir", path},
    {"model.checkpoint_path", path},
    {"model.diffusers_path", path},
    {"model.transformer_path", path},
    {"model.diffusion_model", path},
    {"model.vae", path},
    {"model.vae_path", path},
    {"model.text_encoders", path},
    {"model.text_encoder", path},
    {"model.text_encoder_path", path},
    {"model.llm_path", path},
    {"model.t5_path", path},
    {"model.clip_path", path},
    {"model.byt5_path", path},
    {"model.llama3_path", path},
    {"model.llm_adapter_path", path},
    {"model.ckpt_path", path},
    {"model.single_file_path", path},
    {"model.audio_vae", path},
    {"adapter.init_from_existing", path},

    // files that belong to a run
    {"model.merge_adapters", ignored, kTrainingAdapterNote},
    {"adapter.fuse_adapters", ignored, kTrainingAdapterNote},

    // unsupported
    {"optimizer.stabilize", unsupported, words<"StableAdamW's limit on updates">},
    {"optimizer.min_lr", unsupported, words<"another least rate of Automagic">, {}, "1e-07"},
    {"optimizer.max_lr", unsupported, words<"another highest rate of Automagic">, {}, "0.001"},
    {"optimizer.lr_bump", unsupported, words<"another step of Automagic's rates">, {}, "1e-06"},
    {"optimizer.clip_threshold",
     unsupported,
     words<"another limit on the size of updates">,
     {},
     "1.0"},

    // of other models
    {"model.min_t", ignored, kOfOtherModels},
    {"model.max_t", ignored, kOfOtherModels},
    {"model.lumina_shift", ignored, kOfOtherModels},
    {"model.image_shift", ignored, kOfOtherModels},
    {"model.cfg", ignored, kOfOtherModels},
    {"model.first_frame_conditioning_p", ignored, kOfOtherModels},
    {"model.llama3_4bit", ignored, kOfOtherModels},
    {"model.max_llama3_sequence_length", ignored, kOfOtherModels},
    {"model.max_sequence_length", ignored, kOfOtherModels},
    {"model.text_encoder_fp8", ignored, kOfOtherModels},
    {"model.text_encoder_nf4", ignored, kOfOtherModels},

    // without effect on the result
    {"pipeline_stages", ignored, kSpeedNote},
    {"partition_method", ignored, kSpeedNote},
    {"partition_split", ignored, kSpeedNote},
    {"blocks_to_swap", ignored, kSpeedNote},
    {"disable_block_swap_for_eval", ignored, kSpeedNote},
    {"reentrant_activation_checkpointing", ignored, kSpeedNote},
    {"caching_batch_size", ignored, kSpeedNote},
    {"map_num_proc", ignored, kSpeedNote},
    {"compile", ignored, kSpeedNote},
    {"optimizer.cpu_offload", ignored, kSpeedNote},
    {"optimizer.kahan_buffer_offload", ignored, kSpeedNote},
    {"optimizer.foreach", ignored, kSpeedNote},
    {"optimizer.fused", ignored, kSpeedNote},
    {"optimizer.offload_gradients", ignored, kSpeedNote},
    {"eval_micro_batch_size_per_gpu", ignored, kSpeedNote},
    {"eval_image_micro_batch_size_per_gpu", ignored, kSpeedNote},
    {"image_eval_micro_batch_size_per_gpu", ignored, kSpeedNote},
    {"eval_gradient_accumulation_steps", ignored, kSpeedNote},
    {"eval_before_first_step", ignored, kRunNote},
    {"steps_per_print", ignored, kLogsNote},
    {"logging_steps", ignored, kLogsNote},
    {"x_axis_examples", ignored, kLogsNote},
    {"video_clip_mode", ignored, kVideoNote},
    {"resume_from_checkpoint", ignored, kRunNote},
    {"regenerate_cache", ignored, words<"The cache is always checked.">},
};

constexpr ImportGroup kPipeGroups[] = {
    {"monitoring.", kOnlineNote},
    {"optimizer.", words<"this argument of the optimizer">, unsupported},
};

}  // namespace

std::span<const DiffusionPipeRule> diffusion_pipe_unused_rules() {
  return kPipeUnusedRules;
}

void answer_diffusion_pipe_groups(DiffusionPipe& d) {
  answer_groups(d, kPipeGroups);
}

}  // namespace mantissa
