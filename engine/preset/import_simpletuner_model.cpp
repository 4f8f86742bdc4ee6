#include <algorithm>

#include "engine/preset/import_families.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_simpletuner_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

constexpr RuleText kControlTraining = words<"training on conditioning images">;

void family(SimpleTuner& s, ImportRow& row, const Json& value) {
  std::string name = short_value(value);
  std::replace(name.begin(), name.end(), '-', '_');
  take_family(s, row, &ForeignNames::simpletuner, name);
}

void flavour(SimpleTuner& s, ImportRow& row, const Json& value) {
  refuse_namesake(s, row, &NamesakeModel::simpletuner, short_value(value));
  if (lower_ascii(short_value(value)).starts_with("refiner")) {
    refuse_job(s, row, kRefiner.said());
  }
  s.ignore(row, message<"The base model is chosen for each run.">());
  answer_flavour(s, row, lower_ascii(short_value(value)));
}

void method(SimpleTuner& s, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  if (name == "lora" || name == "full") {
    s.take(row, "training.method", name == "lora" ? "adapter" : "full");
  } else {
    refuse_job(s, row, message<"the training method {name}">(short_value(value)));
  }
}

/// A switch, or a name, of a kind of training of its own.
template <const RuleText* Job>
void other_job(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (!is_off(value)) {
    refuse_job(s, row, Job->said());
  }
  s.ignore(row, message<"Not used there.">());
}

void lora_type(SimpleTuner& s, ImportRow& row, const Json& value) {
  s.take(row, "adapter.type", "lora");
  const std::string name = lower_ascii(short_value(value));
  if (name == "lycoris") {
    s.change(row, message<"A file of its own names the form there, such as LoKr: see "
                          "adapter.type.">());
  } else if (name != "standard") {
    s.change(row, message<"{name} is not offered here: a LoRA of the same rank instead.">(
                      short_value(value)));
  }
}

void dora(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (is_off(value)) {
    s.ignore(row, message<"Not used there.">());
  } else {
    s.take(row, "adapter.type", "dora");
  }
}

void alpha(SimpleTuner& s, ImportRow& row, const Json& value) {
  take_alpha(s, row, value, s.number("lora_rank", 16), ZeroAlpha::zero);
}

void initial(SimpleTuner& s, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  if (name == "default" || name == "true" || name == "pissa") {
    s.take(row, "adapter.init", name == "pissa" ? "pissa" : "standard");
  } else {
    s.ignore(row, message<"Not offered here: {what}.">(short_value(value)));
  }
}

void mixed_precision(SimpleTuner& s, ImportRow& row, const Json& value) {
  take_mixed_precision(s, row, short_value(value));
}

/// "no_change", or a type with the library that applies it: "int8-torchao".
void quantised(SimpleTuner& s, ImportRow& row, const Json& value, const char* target) {
  const std::string name = lower_ascii(short_value(value));
  const std::string type = name.substr(0, name.find('-'));
  if (name == "no_change") {
    s.ignore(row, message<"Not used there.">());
  } else if (const std::string_view same = torch_dtype(type); !same.empty()) {
    s.take(row, target, std::string(same));
    if (same == "fp8_e4m3" || same == "int8") {
      s.change(row, message<"With one scale per output channel here.">());
    }
  } else if (type == "nf4") {
    s.take(row, target, type);
  } else {
    s.take_changed(row, target, "fp8_e4m3",
                   message<"{name} is not offered here: the smallest type that is.">(name));
  }
}
void base_precision(SimpleTuner& s, ImportRow& row, const Json& value) {
  quantised(s, row, value, "precision.weights.denoiser");
}
void text_precision(SimpleTuner& s, ImportRow& row, const Json& value) {
  quantised(s, row, value, "precision.weights.text_encoders");
}
void other_text_precision(SimpleTuner& s, ImportRow& row, const Json& value) {
  s.ignore(row, value == "no_change"
                    ? message<"Not used there.">()
                    : message<"Text encoders share one type here; the first one's counts.">());
}

void vae_dtype(SimpleTuner& s, ImportRow& row, const Json& value) {
  const std::string_view type = torch_dtype(short_value(value));
  if (type.empty()) {
    s.ignore(row, message<"Not offered here: {what}.">(short_value(value)));
  } else {
    s.take(row, "precision.weights.vae", std::string(type));
  }
}

void gradients(SimpleTuner& s, ImportRow& row, const Json& value) {
  if (value == "fp32") {
    s.take(row, "precision.gradients", "fp32");
  } else {
    s.ignore(row, message<"The type of the adapter's weights there; see precision.gradients.">());
  }
}

void prediction(SimpleTuner& s, ImportRow& row, const Json& value) {
  const std::string name = lower_ascii(short_value(value));
  if (name == "epsilon") {
    s.take(row, "training.prediction", "epsilon");
  } else if (name == "v_prediction") {
    s.take(row, "training.prediction", "v");
  } else if (name == "flow_matching") {
    s.take(row, "training.prediction", "flow");
  } else {
    s.ignore(row, message<"Not offered here: {what}.">(short_value(value)));
  }
}

constexpr SimpleTunerRule kSimpleTunerModelRules[] = {
    {"model_family", special, {}, family},
    {"model_flavour", special, {}, flavour},
    {"model_type", special, {}, method},
    {"controlnet", special, {}, other_job<&kControlNet>},
    {"control", special, {}, other_job<&kControlTraining>},
    {"slider_lora_target", special, {}, other_job<&kSliders>},
    {"refiner_training", special, {}, other_job<&kRefiner>},
    {"distillation_method", special, {}, other_job<&kDistillation>},
    {"prediction_type", special, {}, prediction},
    {"lora_type", special, {}, lora_type},
    {"lora_rank", take, "adapter.rank"},
    {"lora_alpha", special, {}, alpha},
    {"lora_dropout", take, "adapter.dropout"},
    {"lora_init_type", special, {}, initial},
    {"use_dora", special, {}, dora},
    {"mixed_precision", special, {}, mixed_precision},
    {"base_model_precision", special, {}, base_precision},
    {"text_encoder_1_precision", special, {}, text_precision},
    {"text_encoder_2_precision", special, {}, other_text_precision},
    {"text_encoder_3_precision", special, {}, other_text_precision},
    {"text_encoder_4_precision", special, {}, other_text_precision},
    {"vae_dtype", special, {}, vae_dtype},
    {"gradient_precision", special, {}, gradients},
};

}  // namespace

std::span<const SimpleTunerRule> simpletuner_model_rules() {
  return kSimpleTunerModelRules;
}

}  // namespace mantissa
