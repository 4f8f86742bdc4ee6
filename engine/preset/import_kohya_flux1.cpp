// Facts about sd-scripts' scripts for FLUX.1 and Chroma behind these rules: networks.lora_flux
// adapts every linear layer of 19 double and 38 single blocks; blocks are chosen by their numbers,
// kinds of layers have ranks of their own, where 0 is none, and in_dims holds those of the layers
// before the blocks. q, k and v, in single blocks with the feed-forward's entry, are one layer
// unless split_qkv. T5 is trained by train_t5xxl beside CLIP. Unless given, noise levels are
// shifted by 3, the model reads a guidance scale of 3.5, and its estimate of the image is compared
// with the flow. kohya_ss passes train_blocks on as "single" alone, where split_mode is set.

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// A kind of blocks, in diffusers' names, and the keys that choose some of them.
struct BlockKind {
  std::string_view train_blocks, indices, blocks;
  int count;
};
constexpr std::array<BlockKind, 2> kBlockKinds{
    {{"double", "train_double_block_indices", "transformer_blocks", 19},
     {"single", "train_single_block_indices", "single_transformer_blocks", 38}}};

/// The layers whose rank a key gives.
struct LayerKind {
  std::string_view key;
  std::array<std::string_view, 4> layers;
};
constexpr LayerKind kLayerKinds[] = {
    {"img_attn_dim",
     {"transformer_blocks.*.attn.to_q", "transformer_blocks.*.attn.to_k",
      "transformer_blocks.*.attn.to_v", "transformer_blocks.*.attn.to_out.*"}},
    {"txt_attn_dim", {"transformer_blocks.*.attn.add_*", "transformer_blocks.*.attn.to_add_out"}},
    {"img_mlp_dim", {"transformer_blocks.*.ff.*"}},
    {"txt_mlp_dim", {"transformer_blocks.*.ff_context.*"}},
    {"img_mod_dim", {"transformer_blocks.*.norm1.*"}},
    {"txt_mod_dim", {"transformer_blocks.*.norm1_context.*"}},
    {"single_dim",
     {"single_transformer_blocks.*.attn.*", "single_transformer_blocks.*.proj_mlp",
      "single_transformer_blocks.*.proj_out"}},
    {"single_mod_dim", {"single_transformer_blocks.*.norm.*"}},
};

/// Those of in_dims, in its order: image, timestep, pooled captions, guidance, captions.
constexpr std::array<std::string_view, 5> kInLayers{
    "x_embedder", "time_text_embed.timestep_embedder.*", "time_text_embed.text_embedder.*",
    "time_text_embed.guidance_embedder.*", "context_embedder"};

/// The name of a key that kohya_ss has, and sd-scripts among a network's arguments.
std::string_view argument_name(std::string_view key) {
  return key.substr(key.find('.') == std::string_view::npos ? 0 : key.find('.') + 1);
}

std::optional<double> rank_of(const Json& value) {
  const std::optional<double> rank = as_number(value);
  const bool fits = rank && *rank >= 0 && *rank <= kMostRank && *rank == std::floor(*rank);
  return fits ? rank : std::nullopt;
}

/// "0-3,7", a number or a list of these, as whether each block is chosen; nothing for another text
/// or a number that no block has.
std::optional<std::vector<bool>> chosen_blocks(const Json& value, int count) {
  const auto size = static_cast<std::size_t>(count);
  std::string text = value.is_array() ? "" : lower_ascii(short_value(value));
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    text += (i > 0 ? "," : "") + short_value(value[i]);
  }
  if (text == "all" || text == "none") {
    return std::vector<bool>(size, text == "all");
  }
  std::vector<bool> chosen(size, false);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string range = text.substr(at, comma - at);
    const std::size_t dash = range.find('-');
    const auto first = rank_of(Json(range.substr(0, dash)));
    const auto last = dash == std::string::npos ? first : rank_of(Json(range.substr(dash + 1)));
    if (!first || !last || *first > *last || *last >= count) {
      return std::nullopt;
    }
    std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(*first),
              chosen.begin() + static_cast<std::ptrdiff_t>(*last) + 1, true);
    at = comma + 1;
  }
  return chosen;
}

/// The only kind of blocks that is trained; empty: both are.
std::string only_blocks(const Kohya& k) {
  if (k.of_gui()) {
    return k.flag("split_mode") ? "single" : "";
  }
  const std::string name = lower_ascii(k.text("network_args.train_blocks"));
  return name == "single" || name == "double" ? name : "";
}

/// The ranks of in_dims; empty if they can't be read.
std::vector<double> in_ranks(const Json& given) {
  const Json list = given.is_string() ? value_from_literal(given.get<std::string>()) : given;
  std::vector<double> ranks;
  for (const Json& item : list.is_array() ? list : Json::array()) {
    if (const std::optional<double> rank = rank_of(item)) {
      ranks.push_back(*rank);
    }
  }
  return list.is_array() && list.size() == kInLayers.size() && ranks.size() == list.size()
             ? ranks
             : std::vector<double>();
}

/// adapter.ranks: blocks that are left out, then kinds of layers, then those before the blocks.
Json rank_entries(const Kohya& k) {
  Json entries = Json::array();
  const auto add = [&](std::string_view layers, double rank) {
    const double alpha = k.number("network_alpha", 1);
    entries.push_back(rank_entry(layers, rank, rank == 0 ? 0 : alpha == 0 ? rank : alpha));
  };
  const std::string only = only_blocks(k);
  std::string left_out;  // a kind of blocks without any that is trained
  for (const BlockKind& kind : kBlockKinds) {
    const Json* given = k.argument(kind.indices);
    const auto chosen = given == nullptr ? std::nullopt : chosen_blocks(*given, kind.count);
    const bool none = chosen && std::find(chosen->begin(), chosen->end(), true) == chosen->end();
    if (none || (!only.empty() && only != kind.train_blocks)) {
      left_out = fmt::format("{}.", kind.blocks);
      add(left_out + "*", 0);
      continue;
    }
    for (std::size_t i = 0; chosen && i < chosen->size(); ++i) {
      if (!(*chosen)[i]) {
        add(fmt::format("{}.{}.*", kind.blocks, i), 0);
      }
    }
  }
  for (const LayerKind& kind : kLayerKinds) {
    const Json* given = k.argument(kind.key);
    const auto rank = given == nullptr ? std::nullopt : rank_of(*given);
    for (const std::string_view layers : kind.layers) {
      const bool trained = left_out.empty() || !layers.starts_with(left_out);
      if (rank && !layers.empty() && trained) {
        add(layers, *rank);
      }
    }
  }
  const Json* before = k.argument("in_dims");
  const std::vector<double> ranks = before == nullptr ? std::vector<double>() : in_ranks(*before);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] > 0) {
      add(kInLayers[i], ranks[i]);
    }
  }
  return entries;
}

/// Answers keys of networks.lora_flux where another network, or none, is trained; true if so.
bool of_another_network(Kohya& k, ImportRow& row) {
  if (k.of_flux1_network()) {
    return false;
  }
  k.ignore(row, message<"Counts only for a plain LoRA of FLUX.1 there.">());
  return true;
}

void take_ranks(Kohya& k, ImportRow& row, bool differs) {
  if (differs) {
    k.take(row, "adapter.ranks", rank_entries(k));
  } else {
    k.ignore(row, message<"Not used there.">());
  }
}

void train_blocks(Kohya& k, ImportRow& row, const Json& value) {
  if (of_another_network(k, row)) {
    return;
  }
  const std::string name = lower_ascii(short_value(value));
  if (k.of_gui() && row.key == "train_blocks") {
    k.ignore(row, name == "all" ? message<"Not used there.">()
                                : message<"kohya_ss passes it on only where split_mode is set.">());
  } else if (name == "all" || name == "single" || name == "double") {
    take_ranks(k, row, name != "all");
  } else {
    k.refuse(row, message<"Not known here: {names}.">(short_value(value)));
  }
}

/// In kohya_ss it chooses the single blocks; otherwise it only saves memory.
void split_mode(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (!of_another_network(k, row) && k.of_gui()) {
    take_ranks(k, row, true);
  } else if (k.of_flux1_network()) {
    k.ignore(row, kSpeedNote.said());
  }
}

void block_indices(Kohya& k, ImportRow& row, const Json& value) {
  if (of_another_network(k, row)) {
    return;
  }
  const auto* kind = std::ranges::find(kBlockKinds, argument_name(row.key), &BlockKind::indices);
  const auto chosen = chosen_blocks(value, kind->count);
  if (!chosen) {
    k.refuse(row, message<"Not taken: {key} is all, none or numbers of blocks up to {last}, such "
                          "as \"0,4-7\".">(kind->indices, kind->count - 1));
  } else {
    take_ranks(k, row, std::find(chosen->begin(), chosen->end(), false) != chosen->end());
  }
}

void layer_rank(Kohya& k, ImportRow& row, const Json& value) {
  if (of_another_network(k, row)) {
    return;
  }
  if (rank_of(value)) {
    take_ranks(k, row, true);
  } else {
    k.refuse(row, message<"Not taken: not a rank from 0 to {most}.">(static_cast<int>(kMostRank)));
  }
}

void in_dims(Kohya& k, ImportRow& row, const Json& value) {
  if (of_another_network(k, row)) {
    return;
  }
  const std::vector<double> ranks = in_ranks(value);
  if (ranks.empty()) {
    k.refuse(row, message<"Not taken: in_dims holds {count} ranks.">(kInLayers.size()));
    return;
  }
  Json targets = block_targets(k.chosen().model.family, BlockLayers::with_modulation);
  targets = targets.is_array() ? targets : Json::array({targets});
  const std::size_t usual = targets.size();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] > 0) {
      targets.push_back(fmt::format("denoiser.{}", kInLayers[i]));
    }
  }
  take_ranks(k, row, targets.size() > usual && k.take(row, "adapter.targets", targets));
}

Message one_adapter() {
  return message<
      "One adapter for q, k and v there, in single blocks with the feed-forward's entry; "
      "one for each of them here.">();
}

void split_qkv(Kohya& k, ImportRow& row, const Json& value) {
  if (of_another_network(k, row)) {
    return;
  }
  if (is_off(value)) {
    k.change(row, one_adapter());
  } else {
    k.ignore(row, message<"q, k and v have an adapter each here too.">());
  }
}

/// Whether T5 is trained is decided with the other parts (finish_parts).
void train_t5(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else if (!of_another_network(k, row)) {
    k.ignore(row, message<"Counts together with other keys.">());
  }
}

/// A feature that isn't offered, without which the training differs.
template <const RuleText* Feature>
void not_offered(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    k.change(row, message<"Not offered here: {what}.">(Feature->said()));
  }
}
constexpr RuleText kGgpo = words<"noise on the weights while training (LoRA-GGPO)">;

void prediction_type(Kohya& k, ImportRow& row, const Json& value) {
  if (has_no_flow(k.chosen())) {
    k.ignore(row, message<"Concerns FLUX and SD3 only.">());
  } else if (value == "raw" || !k.of_flux1_scripts()) {
    k.ignore(row, message<"FLUX predicts the flow itself here (raw).">());
  } else {
    k.change(row, message<"Something else is compared with the flow there; here the model "
                          "predicts the flow itself (raw).">());
  }
}

/// Chroma's approximator has it as an input there.
constexpr RuleText kNoGuidance = words<"The model is trained with guidance 0 here.">;
constexpr double kGuidanceThere = 3.5;

void guidance(Kohya& k, ImportRow& row, const Json& value) {
  if (!k.reads_t5_alone()) {
    answer_guidance(k, row, value);
  } else if (as_number(value) == 0.0) {
    k.ignore(row, kNoGuidance.said());
  } else {
    k.change(row, kNoGuidance.said());
  }
}

/// Of captions' padding, which FLUX.1 reads and Chroma doesn't.
void mask(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    answer_caption_mask(k, row, value);
  }
}

/// Updates of single blocks as soon as their gradients are known.
void fused_blocks(Kohya& k, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    k.ignore(row, message<"Not used there.">());
  } else {
    k.take(row, "optimizer.fused_back_pass", true);
  }
}

/// 512 tokens, or 256 of schnell, which only the model's file tells.
void t5_length(Kohya& k, ImportRow& row, const Json& value) {
  const std::string model = lower_ascii(k.text("pretrained_model_name_or_path"));
  const double usual = model.find("schnell") == std::string::npos ? 512 : 256;
  if (k.of_flux1_scripts() && as_number(value) != usual) {
    k.change(row, message<"T5 reads 512 tokens of a caption here, 256 for schnell.">());
  } else {
    k.ignore(row, kCaptionLengthNote.said());
  }
}

constexpr KohyaRule kKohyaFlux1Rules[] = {
    // arguments of the network, which kohya_ss has as keys
    {"network_args.train_blocks", special, {}, train_blocks},
    {"train_blocks", special, {}, train_blocks},
    {"network_args.train_double_block_indices", special, {}, block_indices},
    {"train_double_block_indices", special, {}, block_indices},
    {"network_args.train_single_block_indices", special, {}, block_indices},
    {"train_single_block_indices", special, {}, block_indices},
    {"network_args.img_attn_dim", special, {}, layer_rank},
    {"img_attn_dim", special, {}, layer_rank},
    {"network_args.txt_attn_dim", special, {}, layer_rank},
    {"txt_attn_dim", special, {}, layer_rank},
    {"network_args.img_mlp_dim", special, {}, layer_rank},
    {"img_mlp_dim", special, {}, layer_rank},
    {"network_args.txt_mlp_dim", special, {}, layer_rank},
    {"txt_mlp_dim", special, {}, layer_rank},
    {"network_args.img_mod_dim", special, {}, layer_rank},
    {"img_mod_dim", special, {}, layer_rank},
    {"network_args.txt_mod_dim", special, {}, layer_rank},
    {"txt_mod_dim", special, {}, layer_rank},
    {"network_args.single_dim", special, {}, layer_rank},
    {"single_dim", special, {}, layer_rank},
    {"network_args.single_mod_dim", special, {}, layer_rank},
    {"single_mod_dim", special, {}, layer_rank},
    {"network_args.in_dims", special, {}, in_dims},
    {"in_dims", special, {}, in_dims},
    {"network_args.split_qkv", special, {}, split_qkv},
    {"split_qkv", special, {}, split_qkv},
    {"network_args.train_t5xxl", special, {}, train_t5},
    {"train_t5xxl", special, {}, train_t5},
    {"network_args.ggpo_beta", special, {}, not_offered<&kGgpo>},
    {"ggpo_beta", special, {}, not_offered<&kGgpo>},
    {"network_args.ggpo_sigma", special, {}, not_offered<&kGgpo>},
    {"ggpo_sigma", special, {}, not_offered<&kGgpo>},
    {"train_lora_ggpo", special, {}, not_offered<&kGgpo>},
    {"t5xxl_lr", special, {}, train_t5},
    {"split_mode", special, {}, split_mode},
    {"enable_all_linear", ignored, words<"Counts only for OFT there.">},
    {"network_args.enable_all_linear", ignored, words<"Counts only for OFT there.">},
    // the scripts' own
    {"guidance_scale", special, {}, guidance},
    {"model_prediction_type", special, {}, prediction_type},
    {"t5xxl_max_token_length", special, {}, t5_length},
    {"apply_t5_attn_mask", special, {}, mask},
    {"flux1_cache_text_encoder_outputs_to_disk", ignored,
     words<"The cache always lives on the disk.">},
    {"double_blocks_to_swap", unsupported, words<"moving blocks to the host">},
    {"single_blocks_to_swap", unsupported, words<"moving blocks to the host">},
    {"mem_eff_save", ignored, kSpeedNote},
    {"blockwise_fused_optimizers", special, {}, fused_blocks},
    {"flux_fused_backward_pass", special, {}, fused_blocks},
    {"flux1_t5xxl", path},
    {"flux1_clip_l", path},
};

}  // namespace

std::span<const KohyaRule> kohya_flux1_rules() {
  return kKohyaFlux1Rules;
}

void finish_kohya_flux1(Kohya& k, const Message& not_given) {
  if (!k.of_flux1_scripts() || k.of_adapter) {
    return;  // an adapter's metadata has them all
  }
  const std::string sampling = lower_ascii(k.text("timestep_sampling"));
  if (sampling.empty() || sampling == "shift" || sampling == "sigma") {
    k.assume("discrete_flow_shift", "training.flow_shift", 3, not_given);
  }
  k.differ("model_prediction_type", "sigma_scaled",
           message<"Not given: the model's estimate of the image is compared with the flow there; "
                   "here the model predicts the flow itself (raw).">());
  const bool reads = !k.reads_t5_alone();
  k.differ("guidance_scale", kGuidanceThere,
           joined<" ">({not_given, reads ? kGuidanceNote.said() : kNoGuidance.said()}));
  if (k.of_flux1_network() && k.argument("split_qkv") == nullptr) {
    k.differ("network_args.split_qkv", false, joined<" ">({not_given, one_adapter()}));
  }
}

}  // namespace mantissa
