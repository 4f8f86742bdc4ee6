// Facts about musubi-tuner behind this table: fp8_base stores the transformer in FP8, with
// fp8_scaled by a scale per block of a layer's weights; latents and captions always come from a
// cache; text encoders are never trained.

#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void version(Kohya& k, ImportRow& row, const Json& value) {
  take_family(k, row, &ForeignNames::musubi_versions, short_value(value));
}

void fp8_scaled(Kohya& k, ImportRow& row, const Json& value) {
  k.ignore(row, is_off(value) ? message<"Not used there.">()
                              : message<"Counts together with other keys.">());
}

void fp8_text(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    k.take_changed(row, "precision.weights.text_encoders", "fp8_e4m3",
                   message<"With one scale per output channel here, without any there.">());
  }
}

void part_dtype(Kohya& k, ImportRow& row, const Json& value, const char* target) {
  const std::string_view type = torch_dtype(short_value(value));
  if (type.empty()) {
    k.ignore(row, message<"Not offered here: {what}.">(short_value(value)));
  } else {
    k.take(row, target, std::string(type));
  }
}
void denoiser_dtype(Kohya& k, ImportRow& row, const Json& value) {
  if (k.flag("fp8_base")) {
    k.ignore(row, message<"Counts together with other keys.">());
  } else {
    part_dtype(k, row, value, "precision.weights.denoiser");
  }
}
void text_dtype(Kohya& k, ImportRow& row, const Json& value) {
  part_dtype(k, row, value, "precision.weights.text_encoders");
}
void vae_dtype(Kohya& k, ImportRow& row, const Json& value) {
  part_dtype(k, row, value, "precision.weights.vae");
}

constexpr KohyaRule kMusubiRules[] = {
    {"model_version", special, {}, version},
    {"fp8_scaled", special, {}, fp8_scaled},
    {"dit_dtype", special, {}, denoiser_dtype},
    {"text_encoder_dtype", special, {}, text_dtype},
    {"vae_dtype", special, {}, vae_dtype},
    {"fp8_llm", special, {}, fp8_text},
    {"fp8_text_encoder", special, {}, fp8_text},
    // paths
    {"dit", path},
    {"text_encoder", path},
    {"text_encoder1", path},
    {"text_encoder2", path},
    {"control_directory", ignored, kReferencesNote},
    {"edit", ignored, words<"The base model's file tells whether it edits.">},
    {"edit_plus", ignored, words<"The base model's file tells whether it edits.">},
    {"image_directory", path},
    {"image_jsonl_file", path},
    {"cache_directory", path},
    {"video_directory", path},
    {"video_jsonl_file", path},
    // unsupported
    {"network_args.exclude_patterns", replaced, kLayerFilter},
    {"network_args.include_patterns", replaced, kLayerFilter},
    {"num_timestep_buckets", unsupported, words<"timesteps spread over the steps">},
    {"multiple_target", unsupported, words<"several results of one image">},
    {"no_resize_control", unsupported, kReferenceSize},
    {"control_resolution", unsupported, kReferenceSize},
    // without effect on the result
    {"network_args.verbose", ignored, kLogsNote},
    {"preserve_distribution_shape", ignored, kTogetherNote},
    {"show_timesteps", ignored, kRunNote},
    {"metadata_arch", ignored, words<"Tags of the adapter, not of the preset.">},
    {"metadata_reso", ignored, words<"Tags of the adapter, not of the preset.">},
    {"dit_in_channels", ignored, kVideoNote},
    {"target_frames", ignored, kVideoNote},
    {"frame_extraction", ignored, kVideoNote},
    {"frame_stride", ignored, kVideoNote},
    {"frame_sample", ignored, kVideoNote},
    {"max_frames", ignored, kVideoNote},
    {"source_fps", ignored, kVideoNote},
    {"fp_latent_window_size", ignored, kVideoNote},
    {"fp_1f_clean_indices", ignored, kVideoNote},
    {"fp_1f_target_index", ignored, kVideoNote},
    {"fp_1f_no_post", ignored, kVideoNote},
    {"flash_attn", ignored, kSpeedNote},
    {"flash3", ignored, kSpeedNote},
    {"sage_attn", ignored, kSpeedNote},
    {"split_attn", ignored, kSpeedNote},
    {"use_32bit_attention", ignored, kSpeedNote},
    {"gradient_checkpointing_cpu_offload", ignored, kSpeedNote},
    {"img_in_txt_in_offloading", ignored, kSpeedNote},
    {"block_swap_h2d_only", ignored, kSpeedNote},
    {"block_swap_ring_size", ignored, kSpeedNote},
    {"use_pinned_memory_for_block_swap", ignored, kSpeedNote},
    {"disable_numpy_memmap", ignored, kSpeedNote},
    {"vae_tiling", ignored, kSpeedNote},
    {"vae_chunk_size", ignored, kSpeedNote},
    {"vae_spatial_tile_sample_min_size", ignored, kSpeedNote},
    {"compile", ignored, kSpeedNote},
    {"compile_backend", ignored, kSpeedNote},
    {"compile_mode", ignored, kSpeedNote},
    {"compile_dynamic", ignored, kSpeedNote},
    {"compile_fullgraph", ignored, kSpeedNote},
    {"compile_cache_size_limit", ignored, kSpeedNote},
    {"dynamo_dynamic", ignored, kSpeedNote},
    {"dynamo_fullgraph", ignored, kSpeedNote},
    {"cuda_allow_tf32", ignored, kSpeedNote},
    {"cuda_cudnn_benchmark", ignored, kSpeedNote},
};

}  // namespace

std::span<const KohyaRule> musubi_rules() {
  return kMusubiRules;
}

}  // namespace mantissa
