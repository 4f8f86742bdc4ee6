#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using enum ImportKind;

void guidance(OneTrainer& o, ImportRow& row, const nlohmann::json& value) {
  answer_guidance(o, row, value);
}

void caption_mask(OneTrainer& o, ImportRow& row, const nlohmann::json& value) {
  answer_caption_mask(o, row, value);
}

constexpr OneTrainerRule kOneTrainerUnusedRules[] = {
    // paths
    {"base_model_name", path},
    {"extra_model_name", path},
    {"unet.model_name", path},
    {"prior.model_name", path},
    {"transformer.model_name", path},
    {"text_encoder.model_name", path},
    {"text_encoder_2.model_name", path},
    {"text_encoder_3.model_name", path},
    {"text_encoder_4.model_name", path},
    {"vae.model_name", path},
    {"lora_model_name", path},
    {"output_model_destination", path},
    {"workspace_dir", path},
    {"cache_dir", path},
    {"debug_dir", path},
    {"huggingface_cache_dir", path},
    {"quantization.cache_dir", path},
    {"sample_definition_file_name", path},

    // unsupported
    {"lora_layers", replaced, words<"a filter of layers by name; see adapter.targets">},
    {"generalized_offset_noise", unsupported, words<"generalised noise offset">},
    {"perturbation_noise_weight", unsupported, words<"input perturbation">},
    {"min_noising_strength", unsupported, words<"a range of timesteps">},
    {"max_noising_strength", unsupported, words<"a range of timesteps">, {}, "1.0"},
    {"mse_strength", unsupported, words<"another strength of the squared error">, {}, "1.0"},
    {"huber_delta", ignored, words<"Counts only with the Huber error there.">},
    {"vb_loss_strength", ignored, words<"Concerns models with learned variance only.">},
    {"loss_scaler", unsupported, words<"scaling of the loss by batch size">, {}, "\"NONE\""},
    {"learning_rate_scaler",
     unsupported,
     words<"scaling of the rate by batch size">,
     {},
     "\"NONE\""},
    {"custom_learning_rate_scheduler", ignored,
     words<"Module names are never loaded from a configuration.">},
    {"scheduler_params", ignored, words<"Counts only with a schedule of its own there.">},
    {"unmasked_probability", unsupported, words<"steps without the mask">},
    {"normalize_masked_area_loss", unsupported, words<"a loss divided by the masked area">},
    {"masked_prior_preservation_weight", unsupported, words<"a prior loss outside the mask">},
    {"custom_conditioning_image", unsupported, words<"conditioning images">},
    {"circular_mask_generation", ignored, words<"Counts only with masks there.">},
    {"random_rotate_and_crop", unsupported, words<"random rotation">},
    {"text_encoder_2.dropout_probability", ignored,
     words<"One caption dropout for all text encoders here; the first one's counts.">},
    {"train_text_encoder_epochs", unsupported, words<"an early end for text encoders">},
    {"train_unet_epochs", unsupported, words<"an early end for the UNet">},
    {"additional_embeddings", ignored, words<"None of them is trained there.">},
    {"embedding_learning_rate", ignored, words<"Counts where embeddings are trained there.">},
    {"preserve_embedding_norm", unsupported, words<"vectors that keep their length">},
    {"embedding_weight_dtype", ignored, words<"Vectors are FP32 here.">},
    {"bundle_additional_embeddings", ignored, words<"Counts where embeddings are trained there.">},
    {"validate_after_unit", ignored, words<"Counts together with its number.">},
    {"validation", ignored,
     words<"Folders of validation images are chosen for each run; see data.validation_share.">},
    {"sample_skip_first", unsupported, words<"a delay before the first sample">},
    {"save_skip_first", unsupported, words<"a delay before the first save">},
    {"backup_before_save", ignored,
     words<"Every save holds all that a run needs to continue exactly.">},
    {"save_filename_prefix", ignored, words<"Files are named after output.name.">},
    {"lora_decompose_norm_epsilon", ignored, words<"Rows of zero norm use plain LoRA here.">},
    {"output_model_format", ignored,
     words<"Adapters are .safetensors with kohya's names; see "
           "output.format.">},
    {"async_offloading", ignored, kSpeedNote},
    {"compile", ignored, kSpeedNote},
    {"layer_offload_fraction", ignored, kSpeedNote},
    {"enable_activation_offloading", ignored, kSpeedNote},
    {"enable_async_offloading", ignored, kSpeedNote},
    {"force_circular_padding", unsupported, words<"circular padding">},
    {"fallback_train_dtype", ignored,
     words<"Types are one plan here; nothing falls back silently.">},
    {"enable_autocast_cache", ignored, kSpeedNote},
    {"only_cache", ignored, words<"Part of a run, not of a preset.">},
    {"attention_mechanism", ignored, kSpeedNote},
    {"train_device", ignored, words<"The device is chosen for each run.">},
    {"temp_device", ignored, words<"The device is chosen for each run.">},
    {"multi_gpu", unsupported, words<"several cards">},
    {"gradient_reduce_precision", ignored, kSpeedNote},
    {"fused_gradient_reduce", ignored, kSpeedNote},
    {"async_gradient_reduce", ignored, kSpeedNote},
    {"async_gradient_reduce_buffer", ignored, kSpeedNote},
    {"offline_mode", ignored, words<"Nothing is fetched from elsewhere.">},
    {"text_encoder_sequence_length", ignored, kCaptionLengthNote},
    {"text_encoder_2_sequence_length", ignored, kCaptionLengthNote},
    {"transformer.attention_mask", special, {}, caption_mask},
    {"transformer.guidance_scale", special, {}, guidance},
    {"transformer.offload_fraction", ignored, kSpeedNote},
    {"transformer.activation_offloading", ignored, kSpeedNote},
    {"unet.offload_fraction", ignored, kSpeedNote},
    {"unet.activation_offloading", ignored, kSpeedNote},
    {"text_encoder.offload_fraction", ignored, kSpeedNote},
    {"text_encoder.activation_offloading", ignored, kSpeedNote},
    {"text_encoder.gradient_checkpointing", ignored, kSpeedNote},
    {"vae.offload_fraction", ignored, kSpeedNote},
    {"vae.gradient_checkpointing", ignored, kSpeedNote},
    {"device_indexes", ignored, words<"The device is chosen for each run.">},
    {"dataloader_threads", ignored, kSpeedNote},
    {"caching_threads", ignored, kSpeedNote},
    {"prefetch_next_batch", ignored, kSpeedNote},
    {"clear_cache_before_training", ignored, words<"The cache is always checked.">},
    {"latent_caching_epochs", ignored, kImagesNote},
    {"frames", ignored, words<"Concerns video only.">},
    {"tensorboard_expose", ignored, kLogsNote},
    {"tensorboard_always_on", ignored, kLogsNote},
    {"tensorboard_port", ignored, kLogsNote},
    {"samples_to_tensorboard", ignored, kLogsNote},
    {"debug_mode", ignored, words<"Part of a run, not of a preset.">},
    {"continue_last_backup", ignored, words<"Part of a run, not of a preset.">},
    {"prevent_overwrites", ignored, words<"Nothing is overwritten.">},
    {"include_train_config", ignored, words<"The preset is always embedded in the adapter.">},
    {"sample_image_format", ignored, words<"Samples are PNG.">},
    {"sample_video_format", ignored, words<"Concerns video only.">},
    {"sample_audio_format", ignored, words<"Concerns audio only.">},
    {"non_ema_sampling", ignored, words<"Samples show what would be written.">},
    {"optimizer_defaults", ignored, words<"Settings of optimizers that are not used.">},
    {"__version", ignored, words<"The version of that program's format.">},
};

constexpr ImportGroup kOneTrainerGroups[] = {
    {"cloud.", words<"Nothing is trained elsewhere.">},
    {"secrets.", words<"Secrets are never taken over.">},
    {"optimizer_defaults.", words<"Settings of optimizers that are not used.">},
    {"embedding.", words<"Counts where embeddings are trained there.">},
    {"prior.", words<"This part does not exist in the models offered here.">},
    {"transformer.", words<"Not offered here for a single part.">},
    {"unconditional_transformer.", words<"This part does not exist in the models offered here.">},
    {"text_encoder_3", words<"This part does not exist in the models offered here.">},
    {"text_encoder_4", words<"This part does not exist in the models offered here.">},
    {"effnet_encoder.", words<"This part does not exist in the models offered here.">},
    {"decoder", words<"This part does not exist in the models offered here.">},
    {"quantization.", words<"Frozen weights have one scale per output channel here; see "
                            "precision.weights.">},
    {"oft_", words<"Concerns OFT only.">},
    {"dora_oft", words<"Concerns OFT only.">},
    {"optimizer.", words<"This optimizer option is not offered here.">},
    {"unet.", words<"Not offered here for a single part.">},
    {"text_encoder.", words<"Not offered here for a single part.">},
    {"text_encoder_2.", words<"Not offered here for a single part.">},
    {"text_encoder_", words<"Not offered here for a single part.">},
    {"vae.", words<"The VAE is never trained here.">},
};

}  // namespace

std::span<const OneTrainerRule> onetrainer_unused_rules() {
  return kOneTrainerUnusedRules;
}

void answer_onetrainer_groups(OneTrainer& o) {
  static constexpr ImportGroup kOther[] = {
      {"transformer.", words<"This part does not exist in that model.">},
      {"unet.", words<"This part does not exist in that model.">}};
  answer_groups(o, std::span(kOther).subspan(o.has_unet() ? 0 : 1, 1));
  // A later key of the form that is asked for isn't known.
  static constexpr ImportGroup kLokr[] = {{"lokr_", words<"Concerns LoKr only.">}};
  if (!o.is_lokr()) {
    answer_groups(o, kLokr);
  }
  static constexpr ImportGroup kOft[] = {{"oft_", words<"OFT">, ImportKind::unsupported},
                                         {"dora_oft", words<"OFT">, ImportKind::unsupported}};
  if (o.text("peft_type").starts_with("OFT")) {
    answer_groups(o, kOft);
  }
  answer_groups(o, kOneTrainerGroups);
}

}  // namespace mantissa
