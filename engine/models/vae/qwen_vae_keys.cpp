#include "engine/models/vae/qwen_vae_keys.h"

#include <algorithm>
#include <array>

#include "engine/io/name_parts.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 2> kQwenOuter{{
    {"conv1", "quant_conv"},
    {"conv2", "post_quant_conv"},
}};

constexpr std::array<NamePair, 6> kQwenEnds{{
    {"conv1", "conv_in"},
    {"head.0", "norm_out"},
    {"head.2", "conv_out"},
    {"middle.0", "mid_block.resnets.0"},
    {"middle.1", "mid_block.attentions.0"},
    {"middle.2", "mid_block.resnets.1"},
}};

constexpr std::array<NamePair, 5> kQwenResidual{{
    {"residual.0", "norm1"},
    {"residual.2", "conv1"},
    {"residual.3", "norm2"},
    {"residual.6", "conv2"},
    {"shortcut", "conv_shortcut"},
}};

/// A sampler's layers, and the attention's, have the same names in both.
constexpr std::array<NamePair, 5> kQwenSame{{
    {"resample.1", "resample.1"},
    {"time_conv", "time_conv"},
    {"norm", "norm"},
    {"to_qkv", "to_qkv"},
    {"proj", "proj"},
}};

constexpr NamePair kQwenDown{"downsamples.", "down_blocks."};
constexpr std::string_view kQwenUp = "upsamples.", kQwenUpBlocks = "up_blocks.";
constexpr std::string_view kQwenResnets = "resnets.", kQwenUpsampler = "upsamplers.0.";

std::optional<std::string> inside_qwen_block(std::string_view rest, bool forward) {
  auto name = rename_head(rest, kQwenResidual, forward);
  return name ? name : rename_head(rest, kQwenSame, forward);
}

/// A name whose first levels are one of kQwenEnds.
std::optional<std::string> qwen_end(std::string_view rest, bool forward) {
  const auto head = rename_head(rest, kQwenEnds, forward);
  if (!head) {
    return std::nullopt;
  }
  const std::string_view middle = forward ? "mid_block." : "middle.";
  if (!head->starts_with(middle)) {
    return head;
  }
  // "mid_block.resnets.0." and "middle.0." end before what is inside of the block.
  std::string_view tail = *head;
  const std::size_t levels = forward ? 3 : 2;
  std::size_t at = 0;
  for (std::size_t i = 0; i < levels; ++i) {
    at = tail.find('.', at) + 1;
    if (at == 0) {
      return std::nullopt;
    }
  }
  const auto inner = inside_qwen_block(tail.substr(at), forward);
  return inner ? std::optional(std::string(tail.substr(0, at)) + *inner) : std::nullopt;
}

std::optional<std::string> qwen_down(std::string_view rest, bool forward) {
  if (!take(rest, forward ? kQwenDown.first : kQwenDown.second)) {
    return std::nullopt;
  }
  const auto index = take_index(rest);
  const auto inner = index ? inside_qwen_block(rest, forward) : std::nullopt;
  return inner ? std::optional(std::string(forward ? kQwenDown.second : kQwenDown.first) +
                               std::to_string(*index) + "." + *inner)
               : std::nullopt;
}

/// "upsamples.7.…" as "up_blocks.1.resnets.3.…", or "up_blocks.1.upsamplers.0.…".
std::optional<std::string> qwen_up_to_diffusers(std::string_view rest, int level_size) {
  if (!take(rest, kQwenUp) || level_size < 1) {
    return std::nullopt;
  }
  const auto index = take_index(rest);
  const auto inner = index ? inside_qwen_block(rest, true) : std::nullopt;
  if (!inner) {
    return std::nullopt;
  }
  const int level = *index / level_size, block = *index % level_size;
  const bool sampler = block + 1 == level_size;
  return std::string(kQwenUpBlocks) + std::to_string(level) + "." +
         (sampler ? std::string(kQwenUpsampler)
                  : std::string(kQwenResnets) + std::to_string(block) + ".") +
         *inner;
}

std::optional<std::string> qwen_up_to_original(std::string_view rest, int level_size) {
  if (!take(rest, kQwenUpBlocks)) {
    return std::nullopt;
  }
  const auto level = take_index(rest);
  std::optional<int> block = level_size - 1;
  if (level && take(rest, kQwenResnets)) {
    block = take_index(rest);
  } else if (!level || !take(rest, kQwenUpsampler)) {
    return std::nullopt;
  }
  const auto inner = block ? inside_qwen_block(rest, false) : std::nullopt;
  return inner ? std::optional(std::string(kQwenUp) + std::to_string(*level * level_size + *block) +
                               "." + *inner)
               : std::nullopt;
}

/// How a half of Qwen-Image-2.1's calls its levels, and diffusers calls them and their samplers.
struct QwenNestedLevels {
  std::string_view list, levels, sampler;
};
constexpr QwenNestedLevels kQwenNestedDown{"downsamples.", "down_blocks.", "downsampler."};
constexpr QwenNestedLevels kQwenNestedUp{"upsamples.", "up_blocks.", "upsampler."};

/// "downsamples.1.downsamples.0.…" as "down_blocks.1.resnets.0.…": what is behind the `blocks` of a
/// level is its sampler.
std::optional<std::string> nested_to_diffusers(std::string_view rest, const QwenNestedLevels& names,
                                               int blocks) {
  const auto level = take(rest, names.list) ? take_index(rest) : std::nullopt;
  const auto index = level && take(rest, names.list) ? take_index(rest) : std::nullopt;
  const auto inner = index ? inside_qwen_block(rest, true) : std::nullopt;
  if (!inner || *index > blocks) {
    return std::nullopt;
  }
  const std::string head = std::string(names.levels) + std::to_string(*level) + ".";
  return head +
         (*index == blocks ? std::string(names.sampler)
                           : std::string(kQwenResnets) + std::to_string(*index) + ".") +
         *inner;
}

std::optional<std::string> nested_to_original(std::string_view rest, const QwenNestedLevels& names,
                                              int blocks) {
  const auto level = take(rest, names.levels) ? take_index(rest) : std::nullopt;
  if (!level) {
    return std::nullopt;
  }
  const auto index = take(rest, kQwenResnets)    ? take_index(rest)
                     : take(rest, names.sampler) ? std::optional(blocks)
                                                 : std::nullopt;
  const auto inner = index ? inside_qwen_block(rest, false) : std::nullopt;
  return inner ? std::optional(std::string(names.list) + std::to_string(*level) + "." +
                               std::string(names.list) + std::to_string(*index) + "." + *inner)
               : std::nullopt;
}

std::optional<std::string> in_qwen_image21_half(std::string_view name, int blocks, bool forward) {
  std::string_view rest = name;
  const bool encoder = take(rest, "encoder.");
  if (!encoder && !take(rest, "decoder.")) {
    return rename_head(name, kQwenOuter, forward);
  }
  const QwenNestedLevels& names = encoder ? kQwenNestedDown : kQwenNestedUp;
  const int own = encoder ? blocks - 1 : blocks;
  auto to = qwen_end(rest, forward);
  if (!to) {
    to = forward ? nested_to_diffusers(rest, names, own) : nested_to_original(rest, names, own);
  }
  return to ? std::optional((encoder ? "encoder." : "decoder.") + *to) : std::nullopt;
}

std::optional<std::string> in_qwen_half(std::string_view name, int level_size, bool forward) {
  std::string_view rest = name;
  const bool encoder = take(rest, "encoder.");
  if (!encoder && !take(rest, "decoder.")) {
    return rename_head(name, kQwenOuter, forward);
  }
  auto to = qwen_end(rest, forward);
  if (!to) {
    to = encoder   ? qwen_down(rest, forward)
         : forward ? qwen_up_to_diffusers(rest, level_size)
                   : qwen_up_to_original(rest, level_size);
  }
  return to ? std::optional((encoder ? "encoder." : "decoder.") + *to) : std::nullopt;
}

}  // namespace

bool is_original_qwen_vae(std::string_view name) {
  return name == "decoder.middle.0.residual.0.gamma";
}

int qwen_vae_level_size(const ModelFiles& files, std::optional<Part> part,
                        std::string_view prefix) {
  bool original = false;
  int first_sampler = 0, blocks = 0;
  files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
    std::string_view rest = tensor.name;
    if (folder != part || !take(rest, prefix)) {
      return false;
    }
    original |= is_original_qwen_vae(rest);
    if (take(rest, "decoder.upsamples.")) {
      const auto index = take_index(rest);
      if (index && rest == "resample.1.weight" && (first_sampler == 0 || *index < first_sampler)) {
        first_sampler = *index;
      }
      blocks = std::max(blocks, index.value_or(0) + 1);
    }
    return false;
  });
  return !original ? 0 : first_sampler > 0 ? first_sampler + 1 : blocks + 1;
}

int qwen_vae_level_size_from_diffusers(std::span<const std::string> names) {
  int blocks = 0;
  for (std::string_view name : names) {
    if (take(name, "decoder.up_blocks.0.resnets.")) {
      blocks = std::max(blocks, take_index(name).value_or(0) + 1);
    }
  }
  return blocks + 1;
}

std::optional<std::string> qwen_vae_to_diffusers(std::string_view name, int level_size) {
  return in_qwen_half(name, level_size, true);
}

std::optional<std::string> qwen_vae_to_original(std::string_view name, int level_size) {
  return in_qwen_half(name, level_size, false);
}

int qwen_image21_vae_blocks(const ModelFiles& files, std::optional<Part> part,
                            std::string_view prefix) {
  int blocks = 0;
  files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
    std::string_view rest = tensor.name;
    if (folder != part || !take(rest, prefix) || !take(rest, "decoder.upsamples.0.upsamples.")) {
      return false;
    }
    const auto index = take_index(rest);
    if (index && rest == "residual.2.weight") {
      blocks = std::max(blocks, *index + 1);
    }
    return false;
  });
  return blocks;
}

std::optional<std::string> qwen_image21_vae_to_diffusers(std::string_view name, int blocks) {
  return in_qwen_image21_half(name, blocks, true);
}

std::optional<std::string> qwen_image21_vae_to_original(std::string_view name, int blocks) {
  return in_qwen_image21_half(name, blocks, false);
}

NameMapping qwen_vae_weight(std::string name) {
  return {NameTransform::last_frame, {std::move(name)}, kVae};
}

}  // namespace mantissa
