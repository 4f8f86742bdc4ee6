#include "engine/run/begun_inputs.h"

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/io/config_fields.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"

namespace mantissa {
namespace {

constexpr int kInputsVersion = 1;

std::string inputs_checksum(nlohmann::json object) {
  object.erase("checksum");
  return sha256_hex(object.dump());
}

}  // namespace

std::string to_text(const BegunInputs& inputs) {
  nlohmann::json object;
  object["mantissa_inputs"] = kInputsVersion;
  object["whole"] = inputs.whole;
  object["accepted"] = inputs.accepted;
  object["identity"] = to_json(inputs.identity);
  object["checksum"] = inputs_checksum(object);
  return printable_json(object.dump()) + "\n";
}

BegunInputs parse_begun_inputs(const std::string& text, const std::string& label) {
  const nlohmann::json object = parse_json(text, label);
  const ConfigFields fields(object, label);
  if (fields.integer("mantissa_inputs", std::nullopt) > kInputsVersion) {
    throw Error(
        message<"{file} was written by a newer version; resume the run with that one">(label));
  }
  if (fields.text("checksum", "") != inputs_checksum(object)) {
    throw Error(message<"{file} is damaged: it has another content than its checksum says">(label));
  }
  const nlohmann::json* identity = fields.find("identity");
  return {identity_from_json(identity == nullptr ? nlohmann::json() : *identity, label),
          fields.boolean("whole", false), fields.texts("accepted", {})};
}

RunIdentity comparable_with(const BegunInputs& begun, RunIdentity now) {
  if (!begun.whole) {
    std::erase_if(now, [](const Ingredient& i) {
      return i.part != "images" && i.part != "prior" && i.part != "validation";
    });
  }
  return now;
}

}  // namespace mantissa
