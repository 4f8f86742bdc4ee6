#pragma once
// JSON spellings of each preset enum.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "engine/preset/preset.h"

namespace mantissa {

/// Spelling of every value of an enum, indexed by its number. One specialisation per enum.
template <typename E>
inline constexpr std::array<std::string_view, 0> kEnumNames{};

template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<AdapterType>{"lora", "dora", "loha",
                                                                         "lokr"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<AdapterScaling>{"standard", "rslora"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<AdapterInit>{"standard", "pissa"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<DoraAxis>{"output", "input"};
template <>
inline constexpr std::array<std::string_view, 11> kEnumNames<StorageType>{
    "fp32", "bf16",         "fp16",  "fp8_e4m3", "fp8_e5m2", "int8",
    "nf4",  "int8_convrot", "mxfp8", "nvfp4",    "gguf"};
template <>
inline constexpr std::array<std::string_view, 7> kEnumNames<ComputeType>{
    "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int8_fp16"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<MasterType>{"fp32", "bf16", "fp16"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<StateType>{"fp32", "bf16", "8bit"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Fp8Scaling>{"current", "delayed"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<CacheMode>{"none", "latents", "all"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<MaskMode>{"off", "files", "alpha"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<BucketRule>{"ours", "kohya",
                                                                        "onetrainer"};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<Prediction>{"auto", "epsilon", "v",
                                                                        "flow"};
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<TimestepDistribution>{
    "uniform", "logit_normal", "sigmoid", "mode", "shifted"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<LossType>{"mse", "huber", "smooth_l1"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<CheckpointingScope>{
    "activations", "feed_forward", "blocks"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<HuberSchedule>{"constant",
                                                                           "exponential", "snr"};
template <>
inline constexpr auto kEnumNames<OptimizerType> = kOptimizerNames;
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<MuonScaling>{"match_rms_adamw",
                                                                         "original"};
template <>
inline constexpr std::array<std::string_view, 8> kEnumNames<ScheduleType>{
    "constant", "linear",     "cosine",       "cosine_restarts",
    "rex",      "polynomial", "cosine_waves", "inverse_sqrt"};
template <>
inline constexpr std::array<std::string_view, 7> kEnumNames<OutputFormat>{
    "kohya", "diffusers", "plain_lora", "peft", "onetrainer", "comfyui", "a1111"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<TrainingMethod>{"adapter", "full"};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<TrainingPurpose>{
    "images", "slider", "pair_slider", "adapter"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Preservation>{"off", "class", "empty"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<LossScaling::Mode>{"auto", "off",
                                                                               "dynamic"};

/// Parts that a preset may name; a family's name for its denoiser maps to the first.
inline constexpr std::array<std::string_view, 5> kPartNames{"denoiser", "te1", "te2", "vae",
                                                            "embeddings"};

template <typename E>
constexpr std::span<const std::string_view> enum_names() {
  static_assert(!kEnumNames<E>.empty(), "this enum has no names");
  return kEnumNames<E>;
}

/// "lora" for AdapterType::lora.
template <typename E>
constexpr std::string_view enum_name(E value) {
  return enum_names<E>()[static_cast<std::size_t>(value)];
}

/// "LoRA" for AdapterType::lora: in messages and lists.
constexpr std::string_view adapter_title(AdapterType type) {
  constexpr std::array<std::string_view, 4> kTitles{"LoRA", "DoRA", "LoHa", "LoKr"};
  static_assert(kTitles.size() == kEnumNames<AdapterType>.size(), "a title for each type");
  return kTitles[static_cast<std::size_t>(type)];
}

/// LoHa and LoKr: products of factors other than B·A.
constexpr bool is_product(AdapterType type) {
  return type == AdapterType::loha || type == AdapterType::lokr;
}

/// Whether magnitudes are trained beside the change: DoRA, or LoHa and LoKr in their DoRA form.
constexpr bool has_magnitudes(const Preset::Adapter& adapter) {
  return adapter.type == AdapterType::dora || (is_product(adapter.type) && adapter.decompose);
}

/// The adapter with its change trained alone.
inline Preset::Adapter without_magnitudes(Preset::Adapter adapter) {
  adapter.type = adapter.type == AdapterType::dora ? AdapterType::lora : adapter.type;
  adapter.decompose = false;
  return adapter;
}

/// Empty if no value of E has this spelling.
template <typename E>
constexpr std::optional<E> enum_from_name(std::string_view name) {
  const auto names = enum_names<E>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) {
      return static_cast<E>(i);
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
