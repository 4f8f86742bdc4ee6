// Facts about diffusion-pipe behind this table: model.dtype is the type of all weights and of
// computation, which autocast does; SDXL's VAE is FP32. transformer_dtype or diffusion_model_dtype,
// by the model's code, is that of the denoiser's large weights, in FP8 without scales. An adapter's
// weights, and so their gradients, have its own type, or model.dtype; saved files have theirs
// unless save_dtype is given. alpha is always the rank, and a file with another one is refused. A
// LoRA's dropout is PEFT's, of its inputs. A LoKr has PEFT's rank, from half of the larger matrix's
// side on of a whole one; its dropout zeroes rows of the change.

#include "engine/preset/import_diffusion_pipe_rules.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// One of their types as ours; empty where that is none.
std::string type_of(const Json& value) {
  return std::string(torch_dtype(short_value(value)));
}

bool is_master(std::string_view type) {
  return type == "fp32" || type == "bf16" || type == "fp16";
}

/// The type of trained weights, with what follows it unless it is given.
void take_masters(DiffusionPipe& d, ImportRow& row, const std::string& type) {
  if (!is_master(type)) {
    return;
  }
  d.take(row, "precision.adapter", type);
  d.take(row, "precision.gradients", type);
  if (d.find("save_dtype") == nullptr) {
    d.take(row, "output.dtype", type);
  }
  if (type == "fp16") {
    d.change(row,
             message<"The preflight refuses adapters kept in fp16, because small updates vanish "
                     "there, and offers fp32.">());
  }
}

void dtype(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const std::string type = type_of(value);
  take_mixed_precision(d, row, type.empty() ? short_value(value) : type);
  if (family_row(d.chosen().model.family).has_unet) {
    d.take(row, "precision.weights.vae", "fp32");
  }
  if (!d.trains_adapter() || d.find("adapter.dtype") == nullptr) {
    take_masters(d, row, type);
  }
}

void weight_type(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const ModelFamily family = d.chosen().model.family;
  if (family != ModelFamily::automatic && diffusion_pipe_model(family).weight_type != row.key) {
    d.ignore(row, message<"Not used there.">());
    return;
  }
  const std::string type = type_of(value);
  if (type.empty()) {
    d.change(row, message<"Not offered here: {what}.">(short_value(value)));
    return;
  }
  d.take(row, "precision.weights.denoiser", type);
  if (type.starts_with("fp8")) {
    d.change(row, message<"With one scale per output channel here, without any there.">());
  }
  if (!d.trains_adapter()) {
    take_masters(d, row, type);
  }
}

bool is_lokr(const DiffusionPipe& d) {
  return d.chosen().adapter.type == AdapterType::lokr;
}

void adapter_type(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  const bool known = name == "lora" || name == "lokr";
  d.take(row, "adapter.type", known ? name : "lora");
  d.take(row, "adapter.targets", diffusion_pipe_layers(d));
  const DiffusionPipeModel& model = diffusion_pipe_model(d.chosen().model.family);
  if (!known) {
    d.change(row, message<"{name} is not offered here: a LoRA of the same rank instead.">(
                      short_value(value)));
  } else if (model.joins_entries) {
    d.change(row, message<"One adapter for q, k and v there, in single blocks with the "
                          "feed-forward's entry; one for each of them here.">());
  } else if (model.joins_qkv) {
    d.change(row, message<"One adapter for q, k and v there, one for each of them here.">());
  }
}

void rank(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_lokr(d) && as_number(value).value_or(0) > kMostRank) {
    d.take_changed(row, "adapter.rank", kMostRank, kWholeNote.said());
  } else if (!d.take(row, "adapter.rank", value)) {
    return;
  }
  d.take(row, "adapter.alpha", d.chosen().adapter.rank);
}

void alpha(DiffusionPipe& d, ImportRow& row, const Json&) {
  d.ignore(row, message<"Refused there: alpha is always the rank.">());
}

void factor(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_lokr(d)) {
    d.take(row, "adapter.factor", value);
  } else {
    d.ignore(row, message<"Concerns LoKr only.">());
  }
}

void dropout(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_lokr(d)) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.take(row, "adapter.dropout", value);
  }
}

void rank_dropout(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (!is_lokr(d) || is_off(value)) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.change(row, message<"Not offered here: {what}.">(message<"dropout of ranks">()));
  }
}

/// Which SDXL's own way of choosing layers doesn't read.
void exclusions(DiffusionPipe& d, ImportRow& row, const Json&) {
  if (family_row(d.chosen().model.family).has_unet) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.change(row, message<"Not offered here: {what}.">(kLayerFilter.said()));
  }
}

void adapter_dtype(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const std::string type = type_of(value);
  if (is_master(type)) {
    take_masters(d, row, type);
  } else {
    d.change(row, message<"Not offered here: {what}.">(short_value(value)));
  }
}

void save_dtype(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const std::string type = type_of(value);
  if (is_master(type)) {
    d.take(row, "output.dtype", type);
  } else {
    d.change(row, message<"Not offered here: {what}.">(short_value(value)));
  }
}

constexpr DiffusionPipeRule kPipeModelRules[] = {
    {"model.dtype", special, {}, dtype},
    {"model.transformer_dtype", special, {}, weight_type},
    {"model.diffusion_model_dtype", special, {}, weight_type},
    {"adapter.type", special, {}, adapter_type},
    {"adapter.rank", special, {}, rank},
    {"adapter.alpha", special, {}, alpha},
    {"adapter.decompose_factor", special, {}, factor},
    {"adapter.dropout", special, {}, dropout},
    {"adapter.rank_dropout", special, {}, rank_dropout},
    {"adapter.exclude_modules", special, {}, exclusions},
    {"adapter.dtype", special, {}, adapter_dtype},
    {"save_dtype", special, {}, save_dtype},
};

}  // namespace

std::span<const DiffusionPipeRule> diffusion_pipe_model_rules() {
  return kPipeModelRules;
}

}  // namespace mantissa
