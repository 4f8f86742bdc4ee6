#include <fmt/format.h>

#include "engine/preset/import_ai_toolkit_rules.h"
#include "engine/preset/import_families.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

void set_layers(AiToolkit& a, ImportRow& row) {
  a.take(row, "adapter.targets", ai_toolkit_layers(a.preset().model.family, a.conv));
}

void architecture(AiToolkit& a, ImportRow& row, const Json& value) {
  take_family(a, row, &ForeignNames::ai_toolkit, short_value(value));
}

/// The older way of naming a family.
void old_switch(AiToolkit& a, ImportRow& row, const Json& value, std::string_view name) {
  if (is_off(value)) {
    a.ignore(row, message<"Not used there.">());
  } else if (a.find("model.arch") != nullptr) {
    a.ignore(row, message<"{key} counts instead.">(std::string("arch")));
  } else {
    take_family(a, row, &ForeignNames::ai_toolkit, name);
  }
}
template <Literal Name>
void family(AiToolkit& a, ImportRow& row, const Json& value) {
  old_switch(a, row, value, Name.text);
}

void base_model(AiToolkit& a, ImportRow& row, const Json& value) {
  refuse_other_model(a, row, value.is_string() ? value.get<std::string>() : std::string());
  a.ignore(row, kPathNote.said());
}

void prediction(AiToolkit& a, ImportRow& row, const Json& value) {
  if (!ignore_for_flow(a, row)) {
    a.take(row, "training.prediction", is_off(value) ? "epsilon" : "v");
  }
}

void network_type(AiToolkit& a, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  const bool known = name == "dora" || name == "loha" || name == "lokr";
  a.take(row, "adapter.type", known ? name : "lora");
  if (!known && name != "lora" && name != "locon") {
    a.change(row, message<"{name} is not offered here: a LoRA of the same rank instead.">(
                      short_value(value)));
  }
  a.conv = a.has_full_rank() && family_row(a.preset().model.family).has_unet;
  set_layers(a, row);
}

/// Answers a rank or an alpha that a LoKr of full rank doesn't read.
bool ignore_for_full_rank(AiToolkit& a, ImportRow& row) {
  if (a.has_full_rank()) {
    a.ignore(row, message<"{key} counts instead.">(std::string("lokr_full_rank")));
  }
  return a.has_full_rank();
}

/// The older name of the rank, "rank", counts before "linear".
void rank(AiToolkit& a, ImportRow& row, const Json& value) {
  if (ignore_for_full_rank(a, row)) {
    return;
  }
  if (row.key == "network.linear" && a.find("network.rank") != nullptr) {
    a.ignore(row, message<"{key} counts instead.">(std::string("rank")));
  } else {
    a.take(row, "adapter.rank", value);
  }
}

void lokr_factor(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.preset().adapter.type == AdapterType::lokr) {
    a.take(row, "adapter.factor", value);
  } else {
    a.ignore(row, message<"Concerns LoKr only.">());
  }
}

/// There it takes the place of the rank, and is the default (finish_defaults).
void lokr_full_rank(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.preset().adapter.type != AdapterType::lokr) {
    a.ignore(row, message<"Concerns LoKr only.">());
  } else if (is_off(value)) {
    a.ignore(row, message<"Not used there.">());
  } else {
    a.take_changed(row, "adapter.rank", kMostRank, kWholeNote.said());
    a.take(row, "adapter.alpha", kMostRank);
  }
}

/// Layers whose path contains one of these words. FLUX.1's have the same paths here, within its
/// blocks, which are all that is adapted there.
Json layers_with(const Json& words) {
  constexpr std::string_view kHead = "transformer.";
  Json layers = Json::array();
  for (const Json& each : words.is_array() ? words : Json::array({words})) {
    const std::string word = short_value(each);
    const bool whole = word.starts_with(kHead);
    layers.push_back(whole ? fmt::format("denoiser.{}*", word.substr(kHead.size()))
                           : fmt::format("denoiser.*transformer_blocks.*{}*", word));
  }
  return layers;
}

void only_layers(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.preset().model.family == ModelFamily("flux1")) {
    a.take(row, "adapter.targets", layers_with(value));
  } else {
    a.change(row, message<"Not offered here: {what}.">(kLayerFilter.said()));
  }
}

void layers_left_out(AiToolkit& a, ImportRow& row, const Json& value) {
  if (a.preset().model.family != ModelFamily("flux1")) {
    a.change(row, message<"Not offered here: {what}.">(kLayerFilter.said()));
    return;
  }
  Json entries = Json::array();
  for (const Json& layers : layers_with(value)) {
    entries.push_back({{"layers", layers}, {"rank", 0}, {"alpha", 0}});
  }
  a.take(row, "adapter.ranks", entries);
}

void alpha(AiToolkit& a, ImportRow& row, const Json& value) {
  const double rank = a.rank_there();
  if (ignore_for_full_rank(a, row)) {
    return;
  }
  if (a.has_alpha()) {
    take_alpha(a, row, value, rank, ZeroAlpha::rank);
  } else if (as_number(value) == rank) {
    a.take(row, "adapter.alpha", alpha_here(a, rank, rank));
  } else {
    a.take_changed(row, "adapter.alpha", alpha_here(a, rank, rank),
                   message<"Has no effect there: adapters of transformers have a scale of 1, which "
                           "is an alpha of their rank.">());
  }
}

void conv(AiToolkit& a, ImportRow& row, const Json& value) {
  if (!family_row(a.preset().model.family).has_unet) {
    a.ignore(row, message<"No convolutions there.">());
  } else if (!ignore_for_full_rank(a, row) && a.take(row, "adapter.conv_rank", value)) {
    a.conv = true;
    set_layers(a, row);
  }
}

void conv_alpha(AiToolkit& a, ImportRow& row, const Json& value) {
  if (ignore_for_full_rank(a, row)) {
    return;
  }
  if (!a.conv) {
    a.ignore(row, message<"No convolutions there.">());
  } else {
    take_conv_alpha(a, row, value, a.number("network.linear_alpha", a.number("network.alpha", 1)),
                    a.number("network.conv", 4));
  }
}

void dropout(AiToolkit& a, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    a.take(row, "adapter.dropout", value);
  } else {
    a.take_changed(row, "adapter.dropout", value,
                   message<"Zeroes inputs of the adapter here, its inner channels there.">());
  }
}

void dtype(AiToolkit& a, ImportRow& row, const Json& value) {
  const std::string_view type = torch_dtype(short_value(value));
  take_mixed_precision(a, row, type.empty() ? short_value(value) : std::string(type));
}

void part_dtype(AiToolkit& a, ImportRow& row, const Json& value, const char* target) {
  const std::string_view type = torch_dtype(short_value(value));
  if (type.empty()) {
    a.ignore(row, message<"Not offered here: {what}.">(short_value(value)));
  } else {
    a.take(row, target, std::string(type));
  }
}
void text_dtype(AiToolkit& a, ImportRow& row, const Json& value) {
  part_dtype(a, row, value, "precision.weights.text_encoders");
}
void vae_dtype(AiToolkit& a, ImportRow& row, const Json& value) {
  part_dtype(a, row, value, "precision.weights.vae");
}
void save_dtype(AiToolkit& a, ImportRow& row, const Json& value) {
  part_dtype(a, row, value, "output.dtype");
}

/// Weights in 8 bits or fewer, of a type that another key names.
void quantize(AiToolkit& a, ImportRow& row, const Json& value, const char* type_key,
              const char* target) {
  if (is_off(value)) {
    a.ignore(row, message<"Not used there.">());
    return;
  }
  const std::string type = a.find(type_key) == nullptr ? "qfloat8" : a.text(type_key);
  const bool int8 = type == "qint8" || type == "int8";
  const bool same = int8 || type == "qfloat8" || type == "float8";
  a.take_changed(row, target, int8 ? "int8" : "fp8_e4m3",
                 same ? message<"With one scale per output channel here.">()
                      : message<"{name} is not offered here: the smallest type that is.">(type));
}
void quantize_denoiser(AiToolkit& a, ImportRow& row, const Json& value) {
  quantize(a, row, value, "model.qtype", "precision.weights.denoiser");
}
void quantize_text(AiToolkit& a, ImportRow& row, const Json& value) {
  quantize(a, row, value, "model.qtype_te", "precision.weights.text_encoders");
}

/// Only Krea 2 has this switch there: other models edit or don't.
void edit(AiToolkit& a, ImportRow& row, const Json& value) {
  if (is_off(value) || a.preset().model.family != ModelFamily("krea2")) {
    a.ignore(row, message<"Not used there.">());
  } else {
    a.ignore(row, message<"A run with reference images (--references) trains an edit.">());
  }
}

constexpr AiToolkitRule kAiToolkitModelRules[] = {
    {"model.arch", special, {}, architecture},
    {"model.is_v2", special, {}, family<"sd2">},
    {"model.is_v3", special, {}, family<"sd3">},
    {"model.is_xl", special, {}, family<"sdxl">},
    {"model.is_pixart", special, {}, family<"pixart">},
    {"model.is_pixart_sigma", special, {}, family<"pixart_sigma">},
    {"model.is_auraflow", special, {}, family<"auraflow">},
    {"model.is_flux", special, {}, family<"flux">},
    {"model.is_lumina2", special, {}, family<"lumina2">},
    {"model.is_ssd", special, {}, family<"ssd">},
    {"model.is_vega", special, {}, family<"vega">},
    {"model.name_or_path", special, {}, base_model},
    {"model.is_v_pred", special, {}, prediction},
    {"network.type", special, {}, network_type},
    {"network.network_kwargs.only_if_contains", special, {}, only_layers},
    {"network.network_kwargs.ignore_if_contains", special, {}, layers_left_out},
    {"network.rank", special, {}, rank},
    {"network.linear", special, {}, rank},
    {"network.alpha", special, {}, alpha},
    {"network.linear_alpha", special, {}, alpha},
    {"network.lokr_factor", special, {}, lokr_factor},
    {"network.lokr_full_rank", special, {}, lokr_full_rank},
    {"network.conv", special, {}, conv},
    {"network.conv_alpha", special, {}, conv_alpha},
    {"network.dropout", special, {}, dropout},
    {"train.dtype", special, {}, dtype},
    {"model.te_dtype", special, {}, text_dtype},
    {"model.vae_dtype", special, {}, vae_dtype},
    {"model.quantize", special, {}, quantize_denoiser},
    {"model.quantize_te", special, {}, quantize_text},
    {"model.model_kwargs.edit", special, {}, edit},
    {"model.qtype", ignored, kTogetherNote},
    {"model.qtype_te", ignored, kTogetherNote},
    {"save.dtype", special, {}, save_dtype},
};

}  // namespace

nlohmann::json ai_toolkit_layers(ModelFamily family, bool convolutions) {
  if (!family_row(family).has_unet) {
    return foreign_targets(family, &ForeignTraining::ai_toolkit_layers,
                           BlockLayers::with_modulation);
  }
  Json layers = Json::array({convolutions ? "linear+conv" : "attention+mlp",
                             "denoiser.*.time_emb_proj", "denoiser.*.conv_shortcut",
                             "denoiser.time_embedding.*", "denoiser.add_embedding.*"});
  if (convolutions) {
    layers.push_back("denoiser.conv_in");
    layers.push_back("denoiser.conv_out");
  }
  return layers;
}

std::span<const AiToolkitRule> ai_toolkit_model_rules() {
  return kAiToolkitModelRules;
}

}  // namespace mantissa
