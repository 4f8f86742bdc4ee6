#include "engine/run/checkpoint_state.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"

namespace mantissa {

using nlohmann::json;

namespace {

/// The fields of state.json; a wrong one is an Error that names it.
class StateFields {
 public:
  StateFields(const json& object, const std::string& label) : object_(object), label_(label) {
    if (!object.is_object()) {
      throw Error(message<"{file} must hold a JSON object">(label));
    }
  }
  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) {
      throw Error(message<"{file}: field '{field}' is missing">(label_, key));
    }
    return *found;
  }
  [[noreturn]] void fail(const std::string& key, const Message& expected, const json& value) const {
    throw Error(message<"{file}: field '{field}' must be {expected}, it is {found}">(
        label_, key, expected, value.dump().substr(0, 80)));
  }
  std::int64_t count(const std::string& key, const json& value, std::int64_t most) const {
    if (!value.is_number_unsigned() ||
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) {
      fail(key, message<"a whole number from {least} to {most}">(0, most), value);
    }
    return value.get<std::int64_t>();
  }
  std::int64_t count(const char* key, std::int64_t most) const { return count(key, at(key), most); }
  std::string text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) {
      fail(key, message<"text">(), value);
    }
    return value.get<std::string>();
  }
  std::string object(const char* key) const {
    const json& value = at(key);
    if (!value.is_object()) {
      fail(key, message<"an object">(), value);
    }
    return value.dump();
  }

 private:
  const json& object_;
  const std::string& label_;
};

constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;

double loss_scale(const StateFields& fields) {
  const json& value = fields.at("loss_scale");
  constexpr double kMost = 0x1p126;
  if (!value.is_number() || !(value.get<double>() >= 1 / kMost && value.get<double>() <= kMost)) {
    fields.fail("loss_scale", message<"a positive number below 2^126">(), value);
  }
  return value.get<double>();
}

std::map<std::string, std::int64_t> optimizer_updates(const StateFields& fields,
                                                      std::int64_t steps) {
  const json& object = fields.at("optimizer_updates");
  if (!object.is_object()) {
    fields.fail("optimizer_updates", message<"an object">(), object);
  }
  std::map<std::string, std::int64_t> updates;
  for (const auto& [part, value] : object.items()) {
    updates[canonical_path(part)] = fields.count("optimizer_updates." + part, value, steps);
  }
  return updates;
}

}  // namespace

std::string to_text(const CheckpointState& s) {
  const json object{{"mantissa_checkpoint", s.stacked_adapters ? 2 : 1},
                    {"step", s.step},
                    {"updates", s.updates},
                    {"skips_in_row", s.skips_in_row},
                    {"loss_scale", s.loss_scale},
                    {"growth_counter", s.growth_counter},
                    {"seed", s.seed},
                    {"optimizer_updates", s.optimizer_updates},
                    {"dataset", s.dataset},
                    {"plan", json::parse(s.plan)},
                    {"preset", json::parse(s.preset)},
                    {"identity", to_json(s.identity)},
                    {"accepted", s.accepted}};
  return object.dump(1) + "\n";
}

CheckpointState parse_checkpoint_state(const std::string& text, const std::string& label) {
  const json object = parse_json(text, label);
  const StateFields f(object, label);
  const std::int64_t format = f.count("mantissa_checkpoint", kMostSteps);
  if (format != 1 && format != 2) {
    throw Error(
        message<"{file} was written by a newer version; resume the run with that one">(label));
  }
  CheckpointState s;
  s.stacked_adapters = format == 2;
  s.step = f.count("step", kMostSteps);
  s.updates = f.count("updates", s.step);
  s.skips_in_row = f.count("skips_in_row", s.step);
  s.loss_scale = loss_scale(f);
  s.growth_counter = f.count("growth_counter", s.step);
  s.seed = f.count("seed", std::numeric_limits<std::int64_t>::max());
  s.optimizer_updates = optimizer_updates(f, s.step);
  s.dataset = f.text("dataset");
  s.plan = f.object("plan");
  s.preset = f.object("preset");
  if (object.contains("identity")) {
    s.identity = identity_from_json(object["identity"], label);
  }
  if (object.contains("accepted")) {
    const json& list = object["accepted"];
    const bool texts = list.is_array() && std::all_of(list.begin(), list.end(),
                                                      [](const json& j) { return j.is_string(); });
    if (!texts) {
      f.fail("accepted", message<"a list of texts">(), list);
    }
    s.accepted = list.get<std::vector<std::string>>();
  }
  return s;
}

}  // namespace mantissa
