// Facts about sd-scripts' networks.lora behind this table: block_dims and its kin hold a number for
// each block of the UNet, that of its linear layers and 1x1 convolutions; conv_block_dims that of
// its larger convolutions. A rank of 0 leaves a block out. conv_alpha is 1 unless given.

#include <algorithm>
#include <fmt/format.h>

#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_ranks.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// The modules of one numbered block, in diffusers' names.
using Block = std::vector<std::string>;

/// Blocks of one residual block each and, if there is attention, a transformer.
void add_blocks(std::vector<Block>& blocks, const std::string& name, int count, bool attention) {
  for (int i = 0; i < count; ++i) {
    blocks.push_back({fmt::format("{}.resnets.{}", name, i)});
    if (attention) {
      blocks.back().push_back(fmt::format("{}.attentions.{}", name, i));
    }
  }
}

/// SDXL's in the order of its original checkpoint: embeddings and conv_in, conv_out at the end.
std::vector<Block> sdxl_blocks() {
  std::vector<Block> blocks(2);
  for (int i = 0; i < 3; ++i) {
    const std::string name = fmt::format("down_blocks.{}", i);
    add_blocks(blocks, name, 2, i > 0);
    if (i < 2) {
      blocks.push_back({name + ".downsamplers.0"});
    }
  }
  blocks.push_back({"mid_block.resnets.0"});
  blocks.push_back({"mid_block.attentions.0"});
  blocks.push_back({"mid_block.resnets.1"});
  for (int i = 0; i < 3; ++i) {
    const std::string name = fmt::format("up_blocks.{}", i);
    add_blocks(blocks, name, 3, i < 2);
    if (i < 2) {
      blocks.back().push_back(name + ".upsamplers.0");
    }
  }
  blocks.emplace_back();
  return blocks;
}

/// SD 1.5's and SD 2's: conv_in, three for each of four depths, the middle, three for each depth.
std::vector<Block> sd_blocks() {
  std::vector<Block> blocks(1);
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("down_blocks.{}", i);
    add_blocks(blocks, name, 2, i < 3);
    if (i < 3) {
      blocks.push_back({name + ".downsamplers.0"});
    }
  }
  blocks.push_back({"mid_block.resnets.0", "mid_block.attentions.0", "mid_block.resnets.1"});
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("up_blocks.{}", i);
    add_blocks(blocks, name, 3, i > 0);
    if (i < 3) {
      blocks.back().push_back(name + ".upsamplers.0");
    }
  }
  return blocks;
}

/// "4,4,8" or a list; empty if these aren't `count` numbers from 0 on.
std::vector<double> numbers(const Json& value, std::size_t count) {
  std::vector<Json> items;
  if (value.is_array()) {
    items.assign(value.begin(), value.end());
  } else {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      items.emplace_back(text.substr(at, comma - at));
      at = comma + 1;
    }
  }
  std::vector<double> list;
  for (const Json& item : items) {
    const std::optional<double> number = as_number(item);
    if (!number || *number < 0) {
      return {};
    }
    list.push_back(*number);
  }
  return list.size() == count ? list : std::vector<double>();
}

/// Blocks of the family; where nothing names it, of the one that has as many.
std::vector<Block> blocks_of(const Kohya& k, ModelFamily family) {
  std::vector<Block> sd = sd_blocks();
  const bool fits = family == ModelFamily::automatic &&
                    (k.flag("v2") || !numbers(*k.argument("block_dims"), sd.size()).empty());
  return family_row(family).clip_encoders() == 1 || fits ? sd : sdxl_blocks();
}

struct Size {
  double rank = 0, alpha = 0;
  bool operator==(const Size&) const = default;
};

/// adapter.ranks of a UNet's blocks, where they differ from those of the whole network.
class BlockRanks {
 public:
  BlockRanks(const Kohya& k, const Preset& preset)
      : k_(k),
        blocks_(blocks_of(k, preset.model.family)),
        linear_{k.number("network_dim", 4), k.number("network_alpha", 1)},
        conv_{static_cast<double>(preset.adapter.conv_rank), 1} {
    if (const Json* alpha = k.argument("conv_alpha")) {
      conv_.alpha = as_number(*alpha).value_or(1);
    }
  }

  /// Null, with a reason in `problem`, if a list isn't usable.
  Json entries() {
    const auto ranks = list("block_dims", linear_.rank);
    const auto alphas = list("block_alphas", linear_.alpha);
    const auto conv_ranks = list("conv_block_dims", conv_.rank);
    const bool own_convs = k_.argument("conv_block_dims") != nullptr;
    const auto conv_alphas = list(own_convs ? "conv_block_alphas" : "", conv_.alpha);
    if (!problem.empty()) {
      return nullptr;
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (const std::string& module : blocks_[i]) {
        add(module, {ranks[i], alphas[i]}, {conv_ranks[i], conv_alphas[i]});
      }
    }
    if (conv_.rank > 0 && conv_.alpha != linear_.alpha) {
      add_conv_entries(entries_, conv_.rank, conv_.alpha);
    }
    return std::move(entries_);
  }
  Message problem;

 private:
  std::vector<double> list(const std::string& key, double otherwise) {
    const Json* given = k_.argument(key);
    std::vector<double> values(blocks_.size(), otherwise);
    if (given != nullptr) {
      values = numbers(*given, blocks_.size());
    }
    if (values.empty()) {
      problem = message<"{key} must hold {count} numbers, one for each block of this model.">(
          key, blocks_.size());
    }
    return values;
  }

  void add(const std::string& module, const Size& linear, const Size& conv) {
    const auto entry = [&](const char* layers, const Size& size) {
      entries_.push_back(rank_entry(module + layers, size.rank, size.alpha));
    };
    if (module.ends_with("samplers.0")) {
      if (k_.conv && !is_usual(conv)) {
        entry(".*", conv);
      }
      return;
    }
    const bool transformer = module.find(".attentions.") != std::string::npos;
    if (!transformer && !k_.conv) {
      return;  // its layers have no adapters then
    }
    if (!transformer && (!is_usual(conv) || linear != linear_)) {
      entry(".conv1", conv);
      entry(".conv2", conv);
    }
    if (linear != linear_) {
      entry(".*", linear);
    }
  }

  /// Without conv_dim no rank of convolutions is.
  bool is_usual(const Size& conv) const { return conv_.rank > 0 && conv == conv_; }

  const Kohya& k_;
  std::vector<Block> blocks_;
  Size linear_, conv_;  ///< of the whole network
  Json entries_ = Json::array();
};

void block_sizes(Kohya& k, ImportRow& row, const Json& value) {
  if (k.lycoris) {
    k.ignore(row, message<"LyCORIS has no such argument.">());
    return;
  }
  if (!k.has_unet()) {
    k.ignore(row, message<"Counts only for Stable Diffusion's UNets there.">());
    return;
  }
  if (k.argument("block_dims") == nullptr) {
    k.ignore(row, message<"Counts only beside block_dims there.">());
    return;
  }
  BlockRanks ranks(k, k.chosen());
  const Json entries = ranks.entries();
  if (entries.is_null()) {
    k.ignore(row, ranks.problem);
  } else {
    k.take(row, "adapter.ranks", entries);
  }
}

/// Convolutions have adapters with conv_block_dims too.
void conv_block_dims(Kohya& k, ImportRow& row, const Json& value) {
  if (!k.lycoris && k.has_unet() && k.argument("block_dims") != nullptr && !k.conv) {
    k.conv = k.take(row, "adapter.targets", "linear+conv");
  }
  block_sizes(k, row, value);
}

void conv_block_alphas(Kohya& k, ImportRow& row, const Json& value) {
  if (k.argument("conv_block_dims") == nullptr) {
    k.ignore(row, message<"Counts only beside conv_block_dims there.">());
  } else {
    block_sizes(k, row, value);
  }
}

constexpr KohyaRule kKohyaBlockRules[] = {
    {"network_args.conv_block_dims", special, {}, conv_block_dims},  // decides on convolutions
    {"conv_block_dims", special, {}, conv_block_dims},
    {"network_args.block_dims", special, {}, block_sizes},
    {"block_dims", special, {}, block_sizes},
    {"network_args.block_alphas", special, {}, block_sizes},
    {"block_alphas", special, {}, block_sizes},
    {"network_args.conv_block_alphas", special, {}, conv_block_alphas},
    {"conv_block_alphas", special, {}, conv_block_alphas},
};

}  // namespace

std::span<const KohyaRule> kohya_block_rules() {
  return kKohyaBlockRules;
}

}  // namespace mantissa
