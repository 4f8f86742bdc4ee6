#include "engine/adapters/peft_config.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

bool is_on(const Json* field) {
  return field != nullptr && !field->is_null() && *field != false && !field->empty();
}

/// Fields of a LoraConfig that make the tensors mean something else than a LoRA's, where set.
struct Variant {
  const char* field;
  const char* name;
};
constexpr Variant kVariants[] = {
    {"kasa_config", "KaSA"},
    {"use_qalora", "QA-LoRA"},
    {"use_bdlora", "BD-LoRA"},
    {"arrow_config", "Arrow"},
    {"monteclora_config", "MonteCLoRA"},
    {"alora_invocation_tokens", "aLoRA"},
    {"layer_replication", "LoRA with layer_replication"},
    {"target_parameters", "LoRA of target_parameters"},
    {"trainable_token_indices", "LoRA with trainable_token_indices"},
};

/// What PEFT takes where a field is left out.
constexpr double kUsualRank = 8, kUsualAlpha = 8;

bool is_pattern(const Json& value) {
  return value.is_null() ||
         (value.is_object() &&
          std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); }));
}

bool is_switch(const Json& value) {
  return value.is_null() || value.is_boolean();
}

/// Fields that decide what the tensors mean, with the values that PEFT can use and its name of
/// their type.
struct FieldType {
  const char* field;
  bool (*fits)(const Json& value);
  const char* type;
};
constexpr FieldType kTypes[] = {
    {"peft_type", [](const Json& v) { return v.is_string(); }, "str"},
    {"r", [](const Json& v) { return v.is_number_integer() && v > 0; }, "int"},
    {"lora_alpha", [](const Json& v) { return v.is_number(); }, "int"},
    {"alpha", [](const Json& v) { return v.is_number(); }, "int"},
    {"rank_pattern", is_pattern, "dict"},
    {"alpha_pattern", is_pattern, "dict"},
    {"use_rslora", is_switch, "bool"},
    {"use_dora", is_switch, "bool"},
    {"init_lora_weights", [](const Json& v) { return is_switch(v) || v.is_string(); },
     "bool | str"},
};

/// PEFT's regular expression around a pattern.
std::string anchored(const std::string& pattern) {
  return "(.*\\.)?(" + pattern + ")$";
}

}  // namespace

PeftConfig::PeftConfig(Json fields, const std::string& file)
    : fields_(std::move(fields)), file_(file) {
  std::set<std::string> parts;
  for (const auto& [key, value] : fields_.items()) {
    const std::size_t dot = key.find('.');
    if (dot != std::string::npos) {
      parts.insert(key.substr(0, dot));
    }
  }
  for (const std::string& part : parts) {
    check(part);
    compile(part, "rank_pattern");
    compile(part, "alpha_pattern");
  }
}

PeftConfig PeftConfig::of_metadata(const std::map<std::string, std::string>& metadata,
                                   const std::string& file) {
  const auto it = metadata.find("lora_adapter_metadata");
  if (it == metadata.end()) {
    return {};
  }
  // Read twice: bounded and without doubled keys, then with its order.
  const bool valid = parse_json(it->second, file + ": lora_adapter_metadata").is_object();
  Json fields = valid ? Json::parse(it->second) : Json();
  return valid && !fields.empty() ? PeftConfig(std::move(fields), file) : PeftConfig();
}

const Json* PeftConfig::field(const std::string& part, const char* name) const {
  const auto it = fields_.find(part + "." + name);
  return it != fields_.end() ? &*it : nullptr;
}

std::string PeftConfig::name_of(const std::string& part, std::string_view name) const {
  return (file_.ends_with(".json") ? "" : part + ".") + std::string(name);
}

double PeftConfig::number(const std::string& part, const char* name, double otherwise) const {
  const Json* value = field(part, name);
  return value != nullptr ? value->get<double>() : otherwise;
}

std::string PeftConfig::head(Part part) const {
  for (const auto& [key, value] : fields_.items()) {
    std::string of = key.substr(0, key.find('.'));
    if (part_of_folder(of) == part) {
      return of;
    }
  }
  return {};
}

bool PeftConfig::uses_dora(Part part) const {
  return is_on(field(head(part), "use_dora"));
}

void PeftConfig::check_types(const std::string& part) const {
  for (const FieldType& type : kTypes) {
    const Json* value = field(part, type.field);
    if (value != nullptr && !type.fits(*value)) {
      throw Error(
          message<"{file}: {field} is {found}, but PEFT can use only a value of the type {type} "
                  "there. Correct it, or save the adapter again where it was trained">(
              file_, name_of(part, type.field), value->dump().substr(0, 80), type.type));
    }
  }
}

double PeftConfig::of_pattern(const std::string& part, const char* name, std::string_view module,
                              double otherwise) const {
  const Json* patterns = field(part, name);
  if (patterns == nullptr || !patterns->is_object()) {
    return otherwise;
  }
  for (const auto& [pattern, value] : patterns->items()) {
    if (expressions_.at(pattern).matches(module)) {
      return value.get<double>();
    }
  }
  return otherwise;
}

void PeftConfig::compile(const std::string& part, const char* name) {
  const Json* patterns = field(part, name);
  if (patterns == nullptr || !patterns->is_object()) {
    return;
  }
  for (const auto& [pattern, value] : patterns->items()) {
    expressions_.try_emplace(pattern, anchored(pattern), file_);
  }
}

void PeftConfig::check(const std::string& part) const {
  const Json* type = field(part, "peft_type");
  const std::string tuner = type != nullptr && type->is_string() ? type->get<std::string>() : "";
  if (!tuner.empty() && tuner != "LORA" && tuner != "LOHA" && tuner != "LOKR") {
    throw Error(
        message<"{file}: PEFT's {form} isn't read (LORA, LOHA and LOKR are). Merge it into its "
                "base model where it was made; `mantissa extract` makes a LoRA of the result">(
            file_, tuner));
  }
  check_types(part);  // of other tuners' fields nothing is known
  for (const Variant& variant : kVariants) {
    if (is_on(field(part, variant.field))) {
      throw Error(
          message<"{file}: {field} is set, so it is of PEFT's form {form}, which isn't read: its "
                  "tensors mean more than a LoRA's. Merge it into its base model where it was "
                  "made; `mantissa extract` makes a LoRA of the result">(
              file_, name_of(part, variant.field), variant.name));
    }
  }
  check_start(part);
}

void PeftConfig::check_start(const std::string& part) const {
  const Json* init = field(part, "init_lora_weights");
  if (init == nullptr || !init->is_string()) {
    return;
  }
  const auto name = init->get<std::string>();
  for (const char* plain : {"gaussian", "eva", "orthogonal", "mica", "pissa", "olora"}) {
    if (name == plain) {
      return;
    }
  }
  if (name == "loftq") {
    throw Error(
        message<"{file}: init_lora_weights is loftq: the adapter belongs to a quantised copy of "
                "the base model, which the file doesn't hold. Merge it where it was trained; "
                "`mantissa extract` makes a LoRA of the result">(file_));
  }
  throw Error(
      message<"{file}: init_lora_weights is {init}: PEFT took the adapter's start out of the base "
              "model's weights, and the file doesn't hold that start. Where it was trained, save "
              "it with path_initial_model_for_weight_conversion, or merge it and use the result "
              "(`mantissa extract` makes a LoRA of it)">(file_, name));
}

std::optional<double> PeftConfig::scale(Part of, std::string_view name, int rank) const {
  const std::string part = head(of);
  if (part.empty()) {
    return std::nullopt;
  }
  const Json* type = field(part, "peft_type");
  const bool product = type != nullptr && (*type == "LOHA" || *type == "LOKR");
  const double r = of_pattern(part, "rank_pattern", name, number(part, "r", kUsualRank));
  const double divisor = product && r > 0 ? r : rank;
  // LoHaConfig and LoKrConfig say alpha.
  const double alpha = of_pattern(part, "alpha_pattern", name,
                                  number(part, "lora_alpha", number(part, "alpha", kUsualAlpha)));
  const Json* root = field(part, "use_rslora");
  return alpha / (is_on(root) ? std::sqrt(divisor) : divisor);
}

PeftStart PeftConfig::start(Part part) const {
  const Json* init = field(head(part), "init_lora_weights");
  return init == nullptr || !init->is_string() ? PeftStart::none
         : *init == "pissa"                    ? PeftStart::pissa
         : *init == "olora"                    ? PeftStart::olora
                                               : PeftStart::none;
}

}  // namespace mantissa
