#include "engine/models/vae/vae_naming.h"

#include <array>

#include "engine/io/name_parts.h"
#include "engine/models/vae/qwen_vae_keys.h"
#include "engine/models/vae/vae_keys.h"

namespace mantissa {

namespace {

int kl_levels(const ModelFiles& files, std::span<const std::string_view> prefixes) {
  int levels = 0;
  for (std::size_t i = 0; levels == 0 && i < prefixes.size(); ++i) {
    levels = vae_levels_behind(files, prefixes[i]);
  }
  return levels;
}

std::optional<NameMapping> kl_in_folder(const TensorInfo& tensor, int /*levels*/) {
  return vae_in_folder(tensor);
}

std::optional<NameMapping> kl_in_single_file(const TensorInfo& tensor, std::string_view name,
                                             int levels) {
  auto to = vae_to_diffusers(name, levels);
  return to ? std::optional(vae_weight(tensor, std::move(*to))) : std::nullopt;
}

std::optional<OriginalTensor> kl_to_single_file(const std::string& name, int levels) {
  return vae_in_single_file(name, "", levels);
}

/// FLUX.2's own files have these convolutions inside the encoder and the decoder.
constexpr std::array<NamePair, 2> kFlux2VaeConvolutions{{
    {"encoder.quant_conv", "quant_conv"},
    {"decoder.post_quant_conv", "post_quant_conv"},
}};
constexpr std::string_view kFlux2Statistics = "bn.";

std::optional<NameMapping> flux2_in_single_file(const TensorInfo& tensor, std::string_view name,
                                                int levels) {
  if (name.starts_with(kFlux2Statistics)) {
    TensorInfo own = tensor;
    own.name = name;
    return vae_in_folder(own);
  }
  auto to = rename_head(name, kFlux2VaeConvolutions, true);
  return to ? std::optional(vae_weight(tensor, std::move(*to)))
            : kl_in_single_file(tensor, name, levels);
}

std::optional<OriginalTensor> flux2_to_single_file(const std::string& name, int levels) {
  if (name.starts_with(kFlux2Statistics)) {
    return OriginalTensor{name};
  }
  auto convolution = rename_head(name, kFlux2VaeConvolutions, false);
  return convolution ? std::optional(OriginalTensor{std::move(*convolution)})
                     : kl_to_single_file(name, levels);
}

int qwen_size(const ModelFiles& files, std::span<const std::string_view> prefixes) {
  int size = qwen_vae_level_size(files, kVae, "");
  for (std::size_t i = 0; size == 0 && i < prefixes.size(); ++i) {
    size = qwen_vae_level_size(files, std::nullopt, prefixes[i]);
  }
  return size;
}

std::optional<NameMapping> qwen_named(std::string_view name, int size) {
  auto to = size == 0 ? std::optional(std::string(name)) : qwen_vae_to_diffusers(name, size);
  return to ? std::optional(qwen_vae_weight(std::move(*to))) : std::nullopt;
}

std::optional<NameMapping> qwen_in_folder(const TensorInfo& tensor, int size) {
  return qwen_named(tensor.name, size);
}

std::optional<NameMapping> qwen_in_single_file(const TensorInfo& /*tensor*/, std::string_view name,
                                               int size) {
  return qwen_named(name, size);
}

std::optional<OriginalTensor> qwen_to_single_file(const std::string& name, int size) {
  auto to = qwen_vae_to_original(name, size);
  return to ? std::optional(OriginalTensor{std::move(*to)}) : std::nullopt;
}

int qwen_image21_size(const ModelFiles& files, std::span<const std::string_view> prefixes) {
  int size = qwen_image21_vae_blocks(files, kVae, "");
  for (std::size_t i = 0; size == 0 && i < prefixes.size(); ++i) {
    size = qwen_image21_vae_blocks(files, std::nullopt, prefixes[i]);
  }
  return size;
}

int qwen_image21_size_from_diffusers(std::span<const std::string> names) {
  return qwen_vae_level_size_from_diffusers(names) - 1;
}

std::optional<NameMapping> qwen_image21_named(std::string_view name, int size) {
  auto to =
      size == 0 ? std::optional(std::string(name)) : qwen_image21_vae_to_diffusers(name, size);
  return to ? std::optional(qwen_vae_weight(std::move(*to))) : std::nullopt;
}

std::optional<NameMapping> qwen_image21_in_folder(const TensorInfo& tensor, int size) {
  return qwen_image21_named(tensor.name, size);
}

std::optional<NameMapping> qwen_image21_in_single_file(const TensorInfo& /*tensor*/,
                                                       std::string_view name, int size) {
  return qwen_image21_named(name, size);
}

std::optional<OriginalTensor> qwen_image21_to_single_file(const std::string& name, int size) {
  auto to = qwen_image21_vae_to_original(name, size);
  return to ? std::optional(OriginalTensor{std::move(*to)}) : std::nullopt;
}

}  // namespace

constinit const VaeNaming kKlVaeNaming{.size_in = kl_levels,
                                       .size_from_diffusers = vae_levels_from_diffusers,
                                       .in_folder = kl_in_folder,
                                       .in_single_file = kl_in_single_file,
                                       .to_single_file = kl_to_single_file};

constinit const VaeNaming kFlux2VaeNaming{.size_in = kl_levels,
                                          .size_from_diffusers = vae_levels_from_diffusers,
                                          .in_folder = kl_in_folder,
                                          .in_single_file = flux2_in_single_file,
                                          .to_single_file = flux2_to_single_file};

constinit const VaeNaming kQwenVaeNaming{.size_in = qwen_size,
                                         .size_from_diffusers = qwen_vae_level_size_from_diffusers,
                                         .in_folder = qwen_in_folder,
                                         .in_single_file = qwen_in_single_file,
                                         .to_single_file = qwen_to_single_file};

constinit const VaeNaming kQwenImage21VaeNaming{
    .size_in = qwen_image21_size,
    .size_from_diffusers = qwen_image21_size_from_diffusers,
    .in_folder = qwen_image21_in_folder,
    .in_single_file = qwen_image21_in_single_file,
    .to_single_file = qwen_image21_to_single_file};

}  // namespace mantissa
