#include "engine/models/vae/vae_keys.h"

#include <algorithm>
#include <array>

#include "engine/io/name_parts.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 5> kVaeResnet{{
    {"norm1", "norm1"},
    {"conv1", "conv1"},
    {"norm2", "norm2"},
    {"conv2", "conv2"},
    {"nin_shortcut", "conv_shortcut"},
}};

constexpr std::array<NamePair, 5> kVaeAttention{{
    {"norm", "group_norm"},
    {"q", "to_q"},
    {"k", "to_k"},
    {"v", "to_v"},
    {"proj_out", "to_out.0"},
}};

constexpr std::array<NamePair, 3> kVaeEnds{{
    {"conv_in", "conv_in"},
    {"norm_out", "conv_norm_out"},
    {"conv_out", "conv_out"},
}};

constexpr std::array<NamePair, 2> kVaeOuter{{
    {"quant_conv", "quant_conv"},
    {"post_quant_conv", "post_quant_conv"},
}};

constexpr std::string_view kVaeAttentions = ".attentions.";

/// Levels of the encoder, by the numbers after `head`.
int count_levels(std::span<const std::string> names, std::string_view head) {
  int levels = 0;
  for (std::string_view name : names) {
    std::string_view rest = name;
    if (take(rest, head)) {
      if (const auto level = take_index(rest); level && *level < 64) {
        levels = std::max(levels, *level + 1);
      }
    }
  }
  return levels;
}

// The middle of either half of the VAE.
std::optional<std::string> vae_middle(std::string_view rest, const std::string& half,
                                      bool forward) {
  constexpr std::array<NamePair, 3> kNames{{{"mid.block_1.", "mid_block.resnets.0."},
                                            {"mid.block_2.", "mid_block.resnets.1."},
                                            {"mid.attn_1.", "mid_block.attentions.0."}}};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto& [ldm, diffusers] = kNames[i];
    std::string_view tail = rest;
    if (!take(tail, forward ? ldm : diffusers)) {
      continue;
    }
    const auto name =
        i == 2 ? rename_head(tail, kVaeAttention, forward) : rename_head(tail, kVaeResnet, forward);
    if (!name) {
      return std::nullopt;
    }
    return half + std::string(forward ? diffusers : ldm) + *name;
  }
  return std::nullopt;
}

}  // namespace

int vae_levels_from_ldm(std::span<const std::string> names) {
  return count_levels(names, "encoder.down.");
}

int vae_levels_from_diffusers(std::span<const std::string> names) {
  return count_levels(names, "encoder.down_blocks.");
}

int vae_levels_behind(const ModelFiles& files, std::string_view prefix) {
  std::vector<std::string> names;
  files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
    std::string_view rest = tensor.name;
    if (!folder && take(rest, prefix)) {
      names.emplace_back(rest);
    }
    return false;
  });
  return vae_levels_from_ldm(names);
}

std::optional<std::string> vae_to_diffusers(std::string_view ldm, int levels) {
  if (auto outer = rename_head(ldm, kVaeOuter, true)) {
    return outer;
  }
  std::string_view rest = ldm;
  const bool encoder = take(rest, "encoder.");
  if (!encoder && !take(rest, "decoder.")) {
    return std::nullopt;
  }
  const std::string half = encoder ? "encoder." : "decoder.";
  if (auto end = rename_head(rest, kVaeEnds, true)) {
    return half + *end;
  }
  if (rest.starts_with("mid.")) {
    return vae_middle(rest, half, true);
  }
  if (!take(rest, encoder ? "down." : "up.")) {
    return std::nullopt;
  }
  const auto level = take_index(rest);
  if (!level || *level >= levels) {
    return std::nullopt;
  }
  const std::string block = half + (encoder ? "down_blocks." : "up_blocks.") +
                            std::to_string(encoder ? *level : levels - 1 - *level) + ".";
  if (take(rest, "block.")) {
    const auto j = take_index(rest);
    return j ? joined(block + "resnets." + std::to_string(*j), rename_head(rest, kVaeResnet, true))
             : std::nullopt;
  }
  if (take(rest, encoder ? "downsample." : "upsample.")) {
    return joined(block + (encoder ? "downsamplers.0" : "upsamplers.0"), same(rest));
  }
  return std::nullopt;
}

std::optional<std::string> vae_to_ldm(std::string_view diffusers, int levels) {
  if (auto outer = rename_head(diffusers, kVaeOuter, false)) {
    return outer;
  }
  std::string_view rest = diffusers;
  const bool encoder = take(rest, "encoder.");
  if (!encoder && !take(rest, "decoder.")) {
    return std::nullopt;
  }
  const std::string half = encoder ? "encoder." : "decoder.";
  if (auto end = rename_head(rest, kVaeEnds, false)) {
    return half + *end;
  }
  if (rest.starts_with("mid_block.")) {
    return vae_middle(rest, half, false);
  }
  if (!take(rest, encoder ? "down_blocks." : "up_blocks.")) {
    return std::nullopt;
  }
  const auto index = take_index(rest);
  if (!index || *index >= levels) {
    return std::nullopt;
  }
  const std::string block = half + (encoder ? "down." : "up.") +
                            std::to_string(encoder ? *index : levels - 1 - *index) + ".";
  if (take(rest, "resnets.")) {
    const auto j = take_index(rest);
    return j ? joined(block + "block." + std::to_string(*j), rename_head(rest, kVaeResnet, false))
             : std::nullopt;
  }
  if (take(rest, encoder ? "downsamplers.0." : "upsamplers.0.")) {
    return joined(block + (encoder ? "downsample" : "upsample"), same(rest));
  }
  return std::nullopt;
}

NameMapping vae_weight(const TensorInfo& tensor, std::string name) {
  const bool convolved = name.find(kVaeAttentions) != std::string::npos &&
                         tensor.dims.size() == 4 && tensor.dims[2] == 1 && tensor.dims[3] == 1;
  return {convolved ? NameTransform::squeeze : NameTransform::none, {std::move(name)}, kVae};
}

NameMapping vae_in_folder(const TensorInfo& tensor) {
  if (tensor.name == "bn.num_batches_tracked") {  // FLUX.2
    return {NameTransform::dropped, {}, kVae};
  }
  // Names of the middle attention in old versions of diffusers.
  constexpr std::array<NamePair, 4> kOld{{{".query.", ".to_q."},
                                          {".key.", ".to_k."},
                                          {".value.", ".to_v."},
                                          {".proj_attn.", ".to_out.0."}}};
  std::string name = tensor.name;
  if (name.find(".mid_block.attentions.0.") != std::string::npos) {
    for (const auto& [before, after] : kOld) {
      if (const auto at = name.find(before); at != std::string::npos) {
        name.replace(at, before.size(), after);
      }
    }
  }
  return vae_weight(tensor, std::move(name));
}

std::optional<OriginalTensor> vae_in_single_file(const std::string& name, const std::string& prefix,
                                                 int levels) {
  const auto to = vae_to_ldm(name, levels);
  if (!to) {
    return std::nullopt;
  }
  const bool convolved = name.find(kVaeAttentions) != std::string::npos;
  return OriginalTensor{prefix + *to, convolved ? NameTransform::squeeze : NameTransform::none};
}

}  // namespace mantissa
