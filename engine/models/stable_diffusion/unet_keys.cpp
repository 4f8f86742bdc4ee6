#include "engine/models/stable_diffusion/unet_keys.h"

#include <algorithm>
#include <array>

#include "engine/io/name_parts.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 7> kUnetTop{{
    {"input_blocks.0.0", "conv_in"},
    {"out.0", "conv_norm_out"},
    {"out.2", "conv_out"},
    {"time_embed.0", "time_embedding.linear_1"},
    {"time_embed.2", "time_embedding.linear_2"},
    {"label_emb.0.0", "add_embedding.linear_1"},
    {"label_emb.0.2", "add_embedding.linear_2"},
}};

constexpr std::array<NamePair, 6> kUnetResnet{{
    {"in_layers.0", "norm1"},
    {"in_layers.2", "conv1"},
    {"emb_layers.1", "time_emb_proj"},
    {"out_layers.0", "norm2"},
    {"out_layers.3", "conv2"},
    {"skip_connection", "conv_shortcut"},
}};

// The place of an LDM block index: level (outermost first) and position; position == layers of the
// level means its downsampler.
struct Place {
  int level = 0, position = 0;
};

std::optional<Place> place_of_input(int index, const UnetLayout& layout) {
  int left = index - 1;  // block 0 is conv_in
  for (std::size_t level = 0; level < layout.layers.size() && left >= 0; ++level) {
    const bool last = level + 1 == layout.layers.size();
    const int size = layout.layers[level] + (last ? 0 : 1);
    if (left < size) {
      return Place{static_cast<int>(level), left};
    }
    left -= size;
  }
  return std::nullopt;
}

// Levels of the up half count from the inside: diffusers' up_blocks.0 is the deepest level.
std::optional<Place> place_of_output(int index, const UnetLayout& layout) {
  int left = index;
  const int levels = static_cast<int>(layout.layers.size());
  for (int up = 0; up < levels; ++up) {
    const int size = layout.layers[static_cast<std::size_t>(levels - 1 - up)] + 1;
    if (left < size) {
      return Place{up, left};
    }
    left -= size;
  }
  return std::nullopt;
}

int input_start(int level, const UnetLayout& layout) {
  int index = 1;
  for (int l = 0; l < level; ++l) {
    index += layout.layers[static_cast<std::size_t>(l)] + 1;
  }
  return index;
}

int output_start(int up, const UnetLayout& layout) {
  int index = 0;
  for (int u = 0; u < up; ++u) {
    index += layout.layers[layout.layers.size() - 1 - static_cast<std::size_t>(u)] + 1;
  }
  return index;
}

void grow(UnetLayout& layout, int level) {
  if (static_cast<std::size_t>(level) >= layout.layers.size()) {
    layout.layers.resize(static_cast<std::size_t>(level) + 1, 0);
    layout.attention.resize(static_cast<std::size_t>(level) + 1, false);
  }
}

}  // namespace

UnetLayout unet_layout_from_ldm(std::span<const std::string> names) {
  enum Kind { kNone, kDown, kPlain, kAttention };
  std::vector<Kind> blocks;
  for (std::string_view name : names) {
    std::string_view rest = name;
    if (!take(rest, "input_blocks.")) {
      continue;
    }
    const auto n = take_index(rest);
    const auto k = n ? take_index(rest) : std::nullopt;
    constexpr int kMostBlocks = 4096;  // far above any real model; limits allocation by names alone
    if (!k || *n < 1 || *n > kMostBlocks) {
      continue;
    }
    blocks.resize(std::max(blocks.size(), static_cast<std::size_t>(*n)), kNone);
    Kind& kind = blocks[static_cast<std::size_t>(*n) - 1];
    const Kind seen = *k == 1 ? kAttention : rest.starts_with("op") ? kDown : kPlain;
    kind = std::max(kind, seen);
  }
  UnetLayout layout;
  if (!blocks.empty()) {
    grow(layout, 0);
  }
  for (Kind kind : blocks) {
    if (kind == kDown) {
      layout.layers.push_back(0);
      layout.attention.push_back(false);
      continue;
    }
    ++layout.layers.back();
    layout.attention.back() = layout.attention.back() || kind == kAttention;
  }
  return layout;
}

UnetLayout unet_layout_from_diffusers(std::span<const std::string> names) {
  UnetLayout layout;
  for (std::string_view name : names) {
    std::string_view rest = name;
    if (!take(rest, "down_blocks.")) {
      continue;
    }
    const auto level = take_index(rest);
    if (!level || *level > 64) {
      continue;
    }
    grow(layout, *level);
    const auto at = static_cast<std::size_t>(*level);
    if (take(rest, "resnets.")) {
      if (const auto j = take_index(rest)) {
        layout.layers[at] = std::max(layout.layers[at], *j + 1);
      }
    } else if (rest.starts_with("attentions.")) {
      layout.attention[at] = true;
    }
  }
  return layout;
}

std::optional<std::string> unet_to_diffusers(std::string_view ldm, const UnetLayout& layout) {
  if (auto top = rename_head(ldm, kUnetTop, true)) {
    return top;
  }
  std::string_view rest = ldm;
  if (take(rest, "middle_block.")) {
    const auto k = take_index(rest);
    if (k == 0 || k == 2) {
      return joined("mid_block.resnets." + std::to_string(*k / 2),
                    rename_head(rest, kUnetResnet, true));
    }
    return k == 1 ? joined("mid_block.attentions.0", same(rest)) : std::nullopt;
  }
  const bool input = take(rest, "input_blocks.");
  if (!input && !take(rest, "output_blocks.")) {
    return std::nullopt;
  }
  const auto n = take_index(rest);
  const auto k = n ? take_index(rest) : std::nullopt;
  if (!k || *k > 2) {
    return std::nullopt;
  }
  const auto place = input ? place_of_input(*n, layout) : place_of_output(*n, layout);
  if (!place) {
    return std::nullopt;
  }
  const std::string block =
      (input ? "down_blocks." : "up_blocks.") + std::to_string(place->level) + ".";
  const std::string position = std::to_string(place->position);
  const std::size_t level = input
                                ? static_cast<std::size_t>(place->level)
                                : layout.layers.size() - 1 - static_cast<std::size_t>(place->level);
  if (input && place->position == layout.layers[level]) {
    return *k == 0 && take(rest, "op")
               ? std::optional(block + "downsamplers.0.conv" + std::string(rest))
               : std::nullopt;
  }
  if (*k == 0) {
    return joined(block + "resnets." + position, rename_head(rest, kUnetResnet, true));
  }
  const bool attention = layout.attention[level];
  if (*k == 1 && attention) {
    return joined(block + "attentions." + position, same(rest));
  }
  const bool last_of_level = place->position == layout.layers[level];
  if (!input && *k == (attention ? 2 : 1) && last_of_level && level > 0 &&
      (rest == "conv" || rest.starts_with("conv."))) {
    return block + "upsamplers.0." + std::string(rest);
  }
  return std::nullopt;
}

std::optional<std::string> unet_to_ldm(std::string_view diffusers, const UnetLayout& layout) {
  if (auto top = rename_head(diffusers, kUnetTop, false)) {
    return top;
  }
  std::string_view rest = diffusers;
  if (take(rest, "mid_block.")) {
    if (take(rest, "attentions.0.")) {
      return joined("middle_block.1", same(rest));
    }
    if (take(rest, "resnets.")) {
      const auto j = take_index(rest);
      if (j && *j <= 1) {
        return joined("middle_block." + std::to_string(*j * 2),
                      rename_head(rest, kUnetResnet, false));
      }
    }
    return std::nullopt;
  }
  const bool down = take(rest, "down_blocks.");
  if (!down && !take(rest, "up_blocks.")) {
    return std::nullopt;
  }
  const auto index = take_index(rest);
  if (!index || static_cast<std::size_t>(*index) >= layout.layers.size()) {
    return std::nullopt;
  }
  const std::size_t level = down ? static_cast<std::size_t>(*index)
                                 : layout.layers.size() - 1 - static_cast<std::size_t>(*index);
  const int layers = layout.layers[level];
  const int start = down ? input_start(*index, layout) : output_start(*index, layout);
  const std::string blocks = down ? "input_blocks." : "output_blocks.";
  if (down && level + 1 < layout.layers.size() && take(rest, "downsamplers.0.conv")) {
    return blocks + std::to_string(start + layers) + ".0.op" + std::string(rest);
  }
  if (!down && level > 0 && take(rest, "upsamplers.0.conv")) {
    return blocks + std::to_string(start + layers) + (layout.attention[level] ? ".2" : ".1") +
           ".conv" + std::string(rest);
  }
  const bool resnet = take(rest, "resnets.");
  if (!resnet && !(layout.attention[level] && take(rest, "attentions."))) {
    return std::nullopt;
  }
  const auto j = take_index(rest);
  if (!j || *j >= layers + (down ? 0 : 1)) {
    return std::nullopt;
  }
  const std::string block = blocks + std::to_string(start + *j);
  return resnet ? joined(block + ".0", rename_head(rest, kUnetResnet, false))
                : joined(block + ".1", same(rest));
}

}  // namespace mantissa
