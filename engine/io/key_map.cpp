#include "engine/io/key_map.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "engine/core/error.h"

namespace mantissa {

namespace {

// Cuts "<prefix>" off the front of `text`; false and untouched when it isn't there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

// Cuts "<number>." (or "<number>" at the end) off the front. Numbers have no leading zeros.
std::optional<int> take_index(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || digits == 0 || value < 0 || text[0] == '-' ||
      (digits > 1 && text[0] == '0')) {
    return std::nullopt;
  }
  if (digits < text.size()) {
    if (text[digits] != '.') {
      return std::nullopt;
    }
    text.remove_prefix(digits + 1);
  } else {
    text = {};
  }
  return value;
}

using NamePair = std::pair<std::string_view, std::string_view>;

// Replaces the leading module name by its partner: `from` and `to` are .first/.second or reversed.
template <std::size_t kCount>
std::optional<std::string> rename_head(std::string_view name,
                                       const std::array<NamePair, kCount>& table, bool forward) {
  for (const auto& [ldm, diffusers] : table) {
    const std::string_view from = forward ? ldm : diffusers;
    const std::string_view to = forward ? diffusers : ldm;
    if (name == from) {
      return std::string(to);
    }
    if (name.starts_with(from) && name[from.size()] == '.') {
      return std::string(to) + std::string(name.substr(from.size()));
    }
  }
  return std::nullopt;
}

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

// Names inside one transformer block stay the same in both layouts.
std::optional<std::string> joined(std::string head, std::optional<std::string> tail) {
  if (!tail || tail->empty()) {
    return std::nullopt;
  }
  return std::move(head) + "." + *tail;
}

std::optional<std::string> same(std::string_view tail) {
  return tail.empty() ? std::nullopt : std::optional<std::string>(tail);
}

// Where an LDM block index lies: level (outermost first) and position; position == layers of the
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

std::string_view part_name(ModelPart part) {
  constexpr std::array<std::string_view, 4> kNames{"unet", "te1", "te2", "vae"};
  return kNames[static_cast<std::size_t>(part)];
}

std::string_view part_folder(ModelPart part) {
  constexpr std::array<std::string_view, 4> kNames{"unet", "text_encoder", "text_encoder_2", "vae"};
  return kNames[static_cast<std::size_t>(part)];
}

std::string_view ldm_prefix(ModelPart part) {
  constexpr std::array<std::string_view, 4> kNames{
      "model.diffusion_model.", "conditioner.embedders.0.transformer.",
      "conditioner.embedders.1.model.", "first_stage_model."};
  return kNames[static_cast<std::size_t>(part)];
}

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
    constexpr int kMostBlocks = 4096;  // no real model comes near; a name alone must not allocate
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

int vae_levels_from_ldm(std::span<const std::string> names) {
  int levels = 0;
  for (std::string_view name : names) {
    std::string_view rest = name;
    if (take(rest, "encoder.down.")) {
      if (const auto level = take_index(rest); level && *level < 64) {
        levels = std::max(levels, *level + 1);
      }
    }
  }
  return levels;
}

namespace {

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

namespace {

constexpr std::array<NamePair, 5> kClipLayer{{
    {"ln_1", "layer_norm1"},
    {"ln_2", "layer_norm2"},
    {"attn.out_proj", "self_attn.out_proj"},
    {"mlp.c_fc", "mlp.fc1"},
    {"mlp.c_proj", "mlp.fc2"},
}};

constexpr std::array<std::string_view, 3> kFused{"q_proj", "k_proj", "v_proj"};

}  // namespace

std::optional<ClipMapping> openclip_to_hf(std::string_view name) {
  const auto plain = [](std::string text) {
    return ClipMapping{ClipTransform::none, {std::move(text)}};
  };
  if (name == "token_embedding.weight") {
    return plain("text_model.embeddings.token_embedding.weight");
  }
  if (name == "positional_embedding") {
    return plain("text_model.embeddings.position_embedding.weight");
  }
  if (name == "text_projection") {
    return ClipMapping{ClipTransform::transpose, {"text_projection.weight"}};
  }
  if (name == "logit_scale") {
    return ClipMapping{ClipTransform::dropped, {}};
  }
  std::string_view rest = name;
  if (take(rest, "ln_final.")) {
    return plain("text_model.final_layer_norm." + std::string(rest));
  }
  if (!take(rest, "transformer.resblocks.")) {
    return std::nullopt;
  }
  const auto layer = take_index(rest);
  if (!layer) {
    return std::nullopt;
  }
  const std::string head = "text_model.encoder.layers." + std::to_string(*layer) + ".";
  if (rest == "attn.in_proj_weight" || rest == "attn.in_proj_bias") {
    ClipMapping mapping{ClipTransform::split_rows, {}};
    for (std::string_view projection : kFused) {
      mapping.names.push_back(head + "self_attn." + std::string(projection) +
                              (rest.ends_with("weight") ? ".weight" : ".bias"));
    }
    return mapping;
  }
  if (auto tail = rename_head(rest, kClipLayer, true)) {
    return plain(head + *tail);
  }
  return std::nullopt;
}

std::optional<OpenClipSource> hf_to_openclip(std::string_view name) {
  if (name == "text_model.embeddings.token_embedding.weight") {
    return OpenClipSource{"token_embedding.weight"};
  }
  if (name == "text_model.embeddings.position_embedding.weight") {
    return OpenClipSource{"positional_embedding"};
  }
  if (name == "text_projection.weight") {
    return OpenClipSource{"text_projection", ClipTransform::transpose};
  }
  std::string_view rest = name;
  if (take(rest, "text_model.final_layer_norm.")) {
    return OpenClipSource{"ln_final." + std::string(rest)};
  }
  if (!take(rest, "text_model.encoder.layers.")) {
    return std::nullopt;
  }
  const auto layer = take_index(rest);
  if (!layer) {
    return std::nullopt;
  }
  const std::string head = "transformer.resblocks." + std::to_string(*layer) + ".";
  for (std::size_t i = 0; i < kFused.size(); ++i) {
    for (std::string_view kind : {"weight", "bias"}) {
      if (rest == "self_attn." + std::string(kFused[i]) + "." + std::string(kind)) {
        return OpenClipSource{head + "attn.in_proj_" + std::string(kind), ClipTransform::split_rows,
                              static_cast<int>(i)};
      }
    }
  }
  if (auto tail = rename_head(rest, kClipLayer, false)) {
    return OpenClipSource{head + *tail};
  }
  return std::nullopt;
}

std::string kohya_module_name(std::string_view module_path, const UnetLayout& layout,
                              KohyaStyle style) {
  std::string_view rest = module_path;
  std::string name;
  if (take(rest, "unet.")) {
    const auto path =
        style == KohyaStyle::sdxl ? unet_to_ldm(rest, layout) : std::optional<std::string>(rest);
    if (!path) {
      throw Error("the module path '" + std::string(module_path) +
                  "' has no LDM name in this UNet, so it can't be written in kohya's layout");
    }
    name = "lora_unet_" + *path;
  } else if (take(rest, "text_encoder.")) {
    name = (style == KohyaStyle::sdxl ? "lora_te1_" : "lora_te_") + std::string(rest);
  } else if (take(rest, "text_encoder_2.")) {
    name = "lora_te2_" + std::string(rest);
  } else {
    throw Error("the module path '" + std::string(module_path) +
                "' must start with unet., text_encoder. or text_encoder_2.");
  }
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::map<std::string, std::string, std::less<>> kohya_table(
    std::span<const std::string> module_paths, const UnetLayout& layout, KohyaStyle style) {
  std::map<std::string, std::string, std::less<>> table;
  for (const std::string& path : module_paths) {
    const auto [at, added] = table.emplace(kohya_module_name(path, layout, style), path);
    if (!added && at->second != path) {
      throw Error("the modules '" + at->second + "' and '" + path + "' share the kohya name '" +
                  at->first + "'");
    }
  }
  return table;
}

std::string peft_tensor_name(std::string_view module_path, std::string_view tensor) {
  return std::string(module_path) + "." + std::string(tensor);
}

std::vector<std::string> default_adapter_modules(ModelPart part,
                                                 std::span<const std::string> names) {
  constexpr std::array<std::string_view, 8> kUnet{".proj_in",       ".proj_out", ".to_q",
                                                  ".to_k",          ".to_v",     ".to_out.0",
                                                  ".ff.net.0.proj", ".ff.net.2"};
  constexpr std::array<std::string_view, 6> kText{".q_proj",   ".k_proj",  ".v_proj",
                                                  ".out_proj", ".mlp.fc1", ".mlp.fc2"};
  std::vector<std::string> modules;
  for (std::string_view name : names) {
    if (!name.ends_with(".weight") || part == ModelPart::vae) {
      continue;
    }
    const std::string_view module = name.substr(0, name.size() - 7);
    const auto ends = [&](std::string_view suffix) { return module.ends_with(suffix); };
    const bool wanted = part == ModelPart::unet
                            ? module.find(".attentions.") != std::string_view::npos &&
                                  std::any_of(kUnet.begin(), kUnet.end(), ends)
                            : module.find(".layers.") != std::string_view::npos &&
                                  std::any_of(kText.begin(), kText.end(), ends);
    if (wanted) {
      modules.push_back(std::string(part_folder(part)) + "." + std::string(module));
    }
  }
  return modules;
}

}  // namespace mantissa
