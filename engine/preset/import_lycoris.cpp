// Facts about LyCORIS behind this table: modules are chosen by the names of their classes or, as
// regular expressions that match from the start, by their own; module_algo_map and name_algo_map
// give some of them settings of their own; a configuration has all of this below apply_preset.

#include "engine/preset/import_lycoris.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <vector>

#include "engine/preset/import_ranks.h"
#include "engine/preset/import_rules.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

struct Lycoris : ImportContext {
  using ImportContext::ImportContext;
};
using LycorisRule = ImportRule<Lycoris>;

/// linear_dim where none is given.
constexpr double kUsualDim = 4;

constexpr std::string_view kModuleMap = "module_algo_map.", kNameMap = "name_algo_map.";

/// The layers in modules of a class, which models call differently: globs, separated by spaces.
struct ModuleClass {
  std::string_view name, layers;
};
constexpr ModuleClass kClasses[] = {
    {"CrossAttention", "denoiser.*.attn*"},
    {"SelfAttention", "denoiser.*.attn*"},
    {"Attention", "denoiser.*.attn* denoiser.*.attention.*"},
    // diffusers' is a list `net` below ff, ff_context, img_mlp and txt_mlp; Z-Image has its own.
    {"FeedForward", "denoiser.*.net.* denoiser.*.feed_forward.*"},
    {"QwenImageTransformerBlock", "denoiser.transformer_blocks.*"},
    {"Flux2Attention", "denoiser.transformer_blocks.*.attn.*"},
    {"Flux2ParallelSelfAttention", "denoiser.single_transformer_blocks.*.attn.*"},
    {"Flux2FeedForward", "denoiser.transformer_blocks.*.ff*.*"},
    {"BasicTransformerBlock", "denoiser.*.transformer_blocks.*"},
    {"Transformer2DModel", "denoiser.*.attentions.*"},
    {"ResnetBlock2D", "denoiser.*.resnets.*"},
    {"Downsample2D", "denoiser.*.downsamplers.*"},
    {"Upsample2D", "denoiser.*.upsamplers.*"},
    {"CLIPAttention", "text_encoder*.self_attn.*"},
    {"CLIPSdpaAttention", "text_encoder*.self_attn.*"},
    {"CLIPMLP", "text_encoder*.mlp.*"},
};

/// Empty for a class that isn't known.
std::vector<std::string> layers_of_class(std::string_view name) {
  std::vector<std::string> layers;
  const auto* found = std::ranges::find(kClasses, name, &ModuleClass::name);
  std::string_view rest = found == std::end(kClasses) ? std::string_view() : found->layers;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    layers.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return layers;
}

/// A name of the denoiser's modules as a glob, if it is no more of an expression than "a.*b";
/// else empty.
std::vector<std::string> layers_of_name(std::string_view name) {
  std::string glob;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view two = name.substr(i, 2);
    if (two == ".*" || two == "\\.") {
      glob += two == ".*" ? '*' : '.';
      ++i;
    } else if (std::isalnum(static_cast<unsigned char>(name[i])) != 0 || name[i] == '_' ||
               name[i] == '.') {
      glob += name[i];
    } else {
      return {};
    }
  }
  return {"denoiser." + glob + "*"};
}

/// Keys that choose layers; by classes or by names.
struct TargetKey {
  std::string_view key;
  bool by_class = true;
};
constexpr TargetKey kTargetKeys[] = {{"target_module"},
                                     {"unet_target_module"},
                                     {"text_encoder_target_module"},
                                     {"target_name", false},
                                     {"unet_target_name", false}};

/// All layers that the file chooses, and the words of this key that aren't known.
std::vector<std::string> unknown_targets(const Lycoris& l, std::string_view wanted, Json& layers) {
  std::vector<std::string> unknown;
  for (const TargetKey& key : kTargetKeys) {
    const Json* list = l.find(key.key);
    if (list == nullptr || !list->is_array()) {
      continue;
    }
    for (const Json& item : *list) {
      const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
      const auto found = key.by_class ? layers_of_class(name) : layers_of_name(name);
      for (const std::string& pattern : found) {
        if (std::ranges::find(layers, Json(pattern)) == layers.end()) {
          layers.push_back(pattern);
        }
      }
      if (found.empty() && key.key == wanted) {
        unknown.push_back(name);
      }
    }
  }
  return unknown;
}

void targets(Lycoris& l, ImportRow& row, const Json& value) {
  const std::string key = row.key.substr(row.key.rfind('.') + 1);
  Json layers = Json::array();
  const std::vector<std::string> unknown = unknown_targets(l, key, layers);
  if (layers.empty()) {
    l.change(row, message<"Not known here: a set of layers; see adapter.targets.">());
  } else if (l.take(row, "adapter.targets", layers) && !unknown.empty()) {
    l.change(row, message<"Not known here: {names}.">(
                      short_value(Json(fmt::format("{}", fmt::join(unknown, ", "))))));
  }
}

void algorithm(Lycoris& l, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  if (name == "loha" || name == "lokr") {
    l.take(row, "adapter.type", name);
  } else if (name == "lora" || name == "locon") {
    l.take(row, "adapter.type", "lora");
  } else {
    l.take_changed(row, "adapter.type", "lora",
                   message<"{name} is not offered here: a LoRA of the same rank instead.">(
                       short_value(value)));
  }
}

bool is_lokr(const Lycoris& l) {
  return l.chosen().adapter.type == AdapterType::lokr;
}

/// Whether LoKr's larger matrix is trained whole, which then has no alpha.
bool is_whole(const Lycoris& l) {
  return is_lokr(l) && (l.flag("full_matrix") || l.number("linear_dim", kUsualDim) > kMostRank);
}

void rank(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_lokr(l) && l.flag("full_matrix")) {
    l.ignore(row, message<"full_matrix counts instead.">());
  } else if (is_whole(l)) {
    l.take_changed(row, "adapter.rank", kMostRank, kWholeNote.said());
    l.take(row, "adapter.alpha", kMostRank);
  } else {
    l.take(row, "adapter.rank", value);
  }
}

void full_matrix(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    l.ignore(row, message<"Not used there.">());
  } else if (!is_lokr(l)) {
    l.ignore(row, message<"Concerns LoKr only.">());
  } else {
    l.take_changed(row, "adapter.rank", kMostRank, kWholeNote.said());
    l.take(row, "adapter.alpha", kMostRank);
  }
}

void alpha(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_whole(l)) {
    l.ignore(row, message<"A matrix that is trained whole has no alpha.">());
  } else {
    take_alpha(l, row, value, l.number("linear_dim", kUsualDim), ZeroAlpha::rank);
  }
}

/// A network's configuration names its form; a preset of layers alone doesn't.
void finish_ranks(Lycoris& l) {
  if (l.find("algo") != nullptr && !is_whole(l)) {
    const Message note = message<"Not given: LyCORIS's default.">();
    l.assume("linear_dim", "adapter.rank", kUsualDim, note);
    l.assume("linear_alpha", "adapter.alpha", alpha_here(l, 1, l.number("linear_dim", kUsualDim)),
             note);
  }
}

void factor(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_lokr(l)) {
    l.take(row, "adapter.factor", value);
  } else {
    l.ignore(row, message<"Concerns LoKr only.">());
  }
}

void rslora(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_whole(l) && !is_off(value)) {
    l.change(row, message<"Scales a matrix that is trained whole there, not here.">());
  } else {
    l.take(row, "adapter.scaling", is_off(value) ? "standard" : "rslora");
  }
}

void dora(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    l.ignore(row, message<"Not used there.">());
  } else if (is_product(l.chosen().adapter.type)) {
    l.take(row, "adapter.decompose", true);
  } else {
    l.take(row, "adapter.type", "dora");
  }
}

void dora_axis(Lycoris& l, ImportRow& row, const Json& value) {
  l.take(row, "adapter.dora_axis", is_off(value) ? "input" : "output");
}

void dropout(Lycoris& l, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    l.take(row, "adapter.dropout", value);
  } else if (is_product(l.chosen().adapter.type)) {
    l.ignore(row, message<"LyCORIS's LoHa and LoKr have no dropout.">());
  } else {
    l.take_changed(row, "adapter.dropout", value,
                   message<"Zeroes inputs of the adapter here, its inner channels there.">());
  }
}

constexpr LycorisRule kRules[] = {
    {"algo", special, {}, algorithm},
    {"full_matrix", special, {}, full_matrix},
    {"rs_lora", special, {}, rslora},  // before alpha, whose part depends on it
    {"linear_dim", special, {}, rank},
    {"linear_alpha", special, {}, alpha},
    {"factor", special, {}, factor},
    {"dora_wd", special, {}, dora},
    {"wd_on_output", special, {}, dora_axis},
    {"dropout", special, {}, dropout},
    {"target_module", special, {}, targets},
    {"unet_target_module", special, {}, targets},
    {"text_encoder_target_module", special, {}, targets},
    {"target_name", special, {}, targets},
    {"unet_target_name", special, {}, targets},
    {"multiplier", ignored, kRunNote},
    {"enable_conv", ignored, kTogetherNote},
    {"use_fnmatch", ignored, kTogetherNote},
    {"decompose_both", unsupported, words<"LoKr's smaller matrix as a low-rank product">},
    {"unbalanced_factorization", unsupported, words<"LoKr's matrices with their sides exchanged">},
    {"constraint", unsupported, words<"a limit on OFT">},
    {"rescaled", unsupported, words<"LyCORIS' rescaled OFT">},
    {"block_size", ignored, words<"Concerns DyLoRA and OFT only.">},
    {"rank_dropout_scale", unsupported, words<"dropout of ranks">},
    {"use_cp", unsupported, words<"Tucker decomposition">},
    {"use_conv_cp", unsupported, words<"Tucker decomposition">},
    {"use_tucker", unsupported, words<"Tucker decomposition">},
    {"use_scalar", unsupported, words<"a learned scalar per module">},
    {"rank_dropout", unsupported, words<"dropout of ranks">},
    {"module_dropout", unsupported, words<"dropout of modules">},
    {"train_norm", unsupported, words<"training of norm layers">},
    {"bypass_mode", unsupported, words<"LyCORIS' bypass mode">},
};

/// "CrossAttention" and "dim" of "module_algo_map.CrossAttention.dim".
struct MapKey {
  std::string_view of, field;
  bool by_class = true;
  std::vector<std::string> layers() const {
    return by_class ? layers_of_class(of) : layers_of_name(of);
  }
};

std::optional<MapKey> map_key(std::string_view key) {
  for (const std::string_view map : {kNameMap, kModuleMap}) {
    const std::size_t dot = key.rfind('.');
    if (key.starts_with(map) && dot != std::string_view::npos && dot > map.size()) {
      return MapKey{key.substr(map.size(), dot - map.size()), key.substr(dot + 1),
                    map == kModuleMap};
    }
  }
  return std::nullopt;
}

/// adapter.ranks of the layers that have their own dim or alpha; those by name come first.
Json rank_entries(const Lycoris& l) {
  Json entries = Json::array();
  std::map<std::string, std::size_t> places;
  for (const bool by_class : {false, true}) {
    for (const SourceEntry& entry : l.entries()) {
      const auto key = map_key(entry.key);
      const std::optional<double> number = as_number(entry.value);
      if (!key || key->by_class != by_class || !number ||
          (key->field != "dim" && key->field != "alpha")) {
        continue;
      }
      for (const std::string& layers : key->layers()) {
        const auto [own, is_new] = places.emplace(layers, entries.size());
        if (is_new) {
          entries.push_back({{"layers", layers}, {"rank", l.chosen().adapter.rank}});
        }
        entries[own->second][key->field == "dim" ? "rank" : "alpha"] =
            key->field == "dim" ? Json(std::min(*number, kMostRank)) : Json(*number);
      }
    }
  }
  return entries;
}

void take_maps(Lycoris& l) {
  const Json entries = rank_entries(l);
  const ImportRow* first = nullptr;  // of those that give a layer its rank; all have one outcome
  for (std::size_t i = 0; i < l.entries().size(); ++i) {
    const SourceEntry& entry = l.entries()[i];
    const auto key = map_key(entry.key);
    if (!key) {
      continue;
    }
    ImportRow& row = l.row_at(i);
    const std::string type(enum_name(l.chosen().adapter.type));
    const std::string name = lower_ascii(short_value(entry.value));
    if (key->layers().empty()) {
      l.change(row, message<"Not known here: {names}.">(short_value(Json(std::string(key->of)))));
    } else if (key->field == "dim" || key->field == "alpha") {
      if (first == nullptr) {
        l.take(row, "adapter.ranks", entries);
        first = &row;
      } else {
        row.fate = first->fate;
        row.targets = first->targets;
        row.note = first->note;
      }
    } else if (key->field == "algo" && (name == type || (name == "locon" && type == "lora"))) {
      l.take(row, "adapter.type", type);
    } else if (key->field == "factor" && is_lokr(l) && as_number(entry.value) &&
               as_number(entry.value) == l.number("factor", -1)) {
      l.take(row, "adapter.factor", entry.value);
    } else if (key->field == "factor" || key->field == "algo") {
      l.change(row, message<"Holds for all layers here; only rank and alpha differ by layer.">());
    } else {
      l.ignore(row, message<"Holds for all layers here; only rank and alpha differ by layer.">());
    }
  }
}

/// Dotted paths; sections, such as apply_preset, are dissolved, apart from the maps.
std::vector<SourceEntry> lycoris_entries(const JsonNode& root) {
  std::vector<SourceEntry> entries = flatten_tree(root);
  for (SourceEntry& entry : entries) {
    const std::size_t map = std::min(entry.path.find(kModuleMap), entry.path.find(kNameMap));
    const bool begins = map != std::string::npos && (map == 0 || entry.path[map - 1] == '.');
    entry.key = entry.path.substr(begins ? map : entry.path.rfind('.') + 1);
  }
  return entries;
}

}  // namespace

bool looks_like_lycoris(const JsonNode& root) {
  constexpr std::array<std::string_view, 8> kOwn{
      "module_algo_map",  "name_algo_map", "unet_target_module", "text_encoder_target_module",
      "unet_target_name", "apply_preset",  "target_module",      "linear_dim"};
  return std::ranges::any_of(root.members, [&](const JsonNode::Member& m) {
    return std::ranges::find(kOwn, m.key) != kOwn.end() || looks_like_lycoris(m.node);
  });
}

ImportResult import_lycoris(const JsonNode& root, std::string_view source_name) {
  Lycoris l(lycoris_entries(root), ImportFormat::lycoris, source_name);
  run_rules<Lycoris>(l, kRules);
  finish_ranks(l);
  take_maps(l);
  return l.finish();
}

}  // namespace mantissa
