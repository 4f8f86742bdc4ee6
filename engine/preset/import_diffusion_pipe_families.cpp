// Facts about diffusion-pipe behind this file and the families' rows, as of its commit 8f83dbf2: an
// adapter covers every linear layer within the modules of a few classes, which are the blocks; of
// Z-Image the refiners too, of Krea 2 the text fusion and what follows it, of Anima the blocks of
// the LLM adapter. SDXL has its own way: the linear layers of the UNet's blocks and of both text
// encoders, always trained. Chroma, FLUX.2 and Z-Image have q, k and v of an attention as one layer
// there. One class reads cosmos_predict2 and anima: a T5 makes it the former. The version of FLUX.2
// is told by the weights. min_snr_gamma, debiased estimation and v_pred, which rescales the
// schedule to a zero terminal SNR, are SDXL's alone.

#include "engine/preset/import_diffusion_pipe_rules.h"
#include "engine/preset/import_families.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_sets.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

constexpr std::string_view kAnima = "anima", kCosmos = "cosmos_predict2";

/// Every text within a value, at any depth.
void collect_texts(const Json& value, std::vector<std::string>& texts) {
  if (value.is_string()) {
    texts.push_back(value.get<std::string>());
  } else if (value.is_structured()) {
    for (const Json& inner : value) {
      collect_texts(inner, texts);
    }
  }
}

/// Models of the family's name that aren't offered, by their files.
void refuse_models(DiffusionPipe& d) {
  for (const char* key : {"model.checkpoint_path", "model.diffusers_path", "model.transformer_path",
                          "model.diffusion_model", "model.text_encoders"}) {
    const std::optional<std::size_t> index = d.index_of(key);
    std::vector<std::string> texts;
    if (index) {
      collect_texts(d.entries()[*index].value, texts);
    }
    for (const std::string& text : texts) {
      refuse_namesake(d, d.row_at(*index), &NamesakeModel::diffusion_pipe, last_folder(text));
      refuse_other_model(d, d.row_at(*index), text);
    }
  }
}

void model_type(DiffusionPipe& d, ImportRow& row, const Json& value) {
  std::string name = short_value(value);
  if (name == kAnima || name == kCosmos) {
    const bool has_t5 = d.find("model.t5_path") != nullptr;
    const bool has_llm = d.find("model.llm_path") != nullptr;
    name = has_t5 || (name == kCosmos && !has_llm) ? kCosmos : kAnima;
  }
  take_family(d, row, &ForeignNames::diffusion_pipe, name);
  refuse_models(d);
  if (family_row(d.chosen().model.family).has_clip) {
    d.change(row,
             message<"Captions of any length are read whole there; see data.caption_chunks.">());
  }
}

void prediction(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (!ignore_for_flow(d, row)) {
    d.take(row, "training.prediction", is_off(value) ? "epsilon" : "v");
    d.take(row, "training.zero_terminal_snr", !is_off(value));
  }
}

void min_snr(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (!ignore_for_flow(d, row)) {
    d.take(row, "training.min_snr_gamma", value);
  }
}

/// Whether it is given counts, not its value.
void debiased(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (ignore_for_flow(d, row)) {
    return;
  }
  const Message missing =
      message<"Not offered here: {what}.">(message<"debiased estimation; min-SNR is near to it">());
  d.change(row, is_off(value) ? joined<" ">({missing, message<"Any value switches it on there.">()})
                              : missing);
}

/// Rates of SDXL's parts; what they are is decided with the other parts.
void part_rate(DiffusionPipe& d, ImportRow& row, const Json&) {
  if (!ignore_for_flow(d, row)) {
    d.ignore(row, message<"Counts together with other keys.">());
  }
}

/// Answers keys of Anima alone; true if another family is trained.
bool of_another_model(DiffusionPipe& d, ImportRow& row) {
  const bool other = !diffusion_pipe_model(d.chosen().model.family).has_layer_rates;
  if (other) {
    d.ignore(row, message<"Not used there.">());
  }
  return other;
}

struct LayerRate {
  std::string_view key, layers;
};
constexpr LayerRate kLayerRates[] = {{"model.self_attn_lr", "transformer_blocks.*.attn1.*"},
                                     {"model.cross_attn_lr", "transformer_blocks.*.attn2.*"},
                                     {"model.mlp_lr", "transformer_blocks.*.ff.*"},
                                     {"model.mod_lr", "transformer_blocks.*.norm*"}};

/// A rate of 0 leaves such layers out.
void layer_rate(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (of_another_model(d, row)) {
    return;
  }
  const std::optional<double> rate = as_number(value);
  if (rate && *rate == d.number("optimizer.lr", -1)) {
    d.ignore(row, message<"The same here.">());
  } else if (rate != 0.0 && d.has_forced_rate()) {
    d.ignore(row, DiffusionPipe::forced_note());
  } else if (rate != 0.0 && d.optimizer_name() == "automagic") {
    d.ignore(row, message<"Not used there.">());
  } else if (rate != 0.0 || !d.trains_adapter()) {
    d.change(row, message<"Not offered here: {what}.">(
                      message<"a learning rate for each kind of layer">()));
  } else {
    Json entries = Json::array();
    for (const LayerRate& kind : kLayerRates) {
      if (d.number(kind.key, 1) == 0) {
        entries.push_back(rank_entry(kind.layers, 0, 0));
      }
    }
    d.take(row, "adapter.ranks", entries);
  }
}

void conditioner_rate(DiffusionPipe& d, ImportRow& row, const Json&) {
  if (!of_another_model(d, row)) {
    d.ignore(row, message<"Counts together with other keys.">());
  }
}

void text_cache(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (!of_another_model(d, row)) {
    d.take(row, "data.cache", is_off(value) ? "latents" : "all");
  }
}

void multiscale(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (of_another_model(d, row)) {
    return;
  }
  if (is_off(value)) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.change(row,
             message<"Not offered here: {what}.">(message<"a further loss at half the size">()));
  }
}

/// Read for FLUX.1, which is then not given a guidance scale at all.
void bypass(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_off(value) || !family_row(d.chosen().model.family).reads_guidance) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.change(row, kGuidanceNote.said());
  }
}

void guidance(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (family_row(d.chosen().model.family).reads_guidance) {
    answer_guidance(d, row, value);
  } else {
    d.ignore(row, message<"Not used there.">());
  }
}

constexpr DiffusionPipeRule kPipeFamilyRules[] = {
    {"model.type", special, {}, model_type},
    {"model.guidance", special, {}, guidance},
    {"model.bypass_guidance_embedding", special, {}, bypass},
    {"model.v_pred", special, {}, prediction},
    {"model.min_snr_gamma", special, {}, min_snr},
    {"model.debiased_estimation_loss", special, {}, debiased},
    {"model.unet_lr", special, {}, part_rate},
    {"model.text_encoder_1_lr", special, {}, part_rate},
    {"model.text_encoder_2_lr", special, {}, part_rate},
    {"model.llm_adapter_lr", special, {}, conditioner_rate},
    {"model.self_attn_lr", special, {}, layer_rate},
    {"model.cross_attn_lr", special, {}, layer_rate},
    {"model.mlp_lr", special, {}, layer_rate},
    {"model.mod_lr", special, {}, layer_rate},
    {"model.cache_text_embeddings", special, {}, text_cache},
    {"model.multiscale_loss_weight", special, {}, multiscale},
};

}  // namespace

Json diffusion_pipe_layers(const DiffusionPipe& d) {
  const ModelFamily family = d.chosen().model.family;
  if (!family_row(family).has_unet) {
    return foreign_targets(family, diffusion_pipe_model(family).layers,
                           BlockLayers::with_modulation);
  }
  Json layers = Json::array({"attention+mlp", "denoiser.*.time_emb_proj"});
  if (d.number("model.text_encoder_2_lr", 1) != 0) {
    layers.push_back("text_encoder_2.text_projection");
  }
  return layers;
}

std::span<const DiffusionPipeRule> diffusion_pipe_family_rules() {
  return kPipeFamilyRules;
}

}  // namespace mantissa
