// Reads diffusers' rectified-flow scheduler configuration.
#include "engine/diffusion/flow_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/io/config_fields.h"

namespace mantissa {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 2> kFlowClasses{"FlowMatchEulerDiscreteScheduler",
                                                       "FlowMatchHeunDiscreteScheduler"};

/// Sampling settings of diffusers; samplers here have their own.
constexpr std::array<std::string_view, 5> kFlowHarmless{"stochastic_sampling", "use_karras_sigmas",
                                                        "use_exponential_sigmas", "use_beta_sigmas",
                                                        "max_period"};

}  // namespace

bool is_flow_config(const Json& config) {
  if (!config.is_object() || !config.contains("_class_name")) {
    return false;
  }
  const Json& name = config["_class_name"];
  return name.is_string() && std::find(kFlowClasses.begin(), kFlowClasses.end(),
                                       name.get<std::string>()) != kFlowClasses.end();
}

FlowConfig flow_config_from_json(const Json& config) {
  const std::string label = "scheduler_config.json";
  const ConfigFields f(config, label);
  f.text("_class_name", "");
  FlowConfig c;
  constexpr int kMostSteps = 100'000;
  c.num_train_timesteps = f.integer("num_train_timesteps", 1000, 2);
  if (c.num_train_timesteps > kMostSteps) {
    f.fail("num_train_timesteps",
           message<"must be at most {most}; it is {found}">(kMostSteps, c.num_train_timesteps));
  }
  c.shift = f.number("shift", c.shift);
  DynamicShift dynamic;
  dynamic.base = f.number("base_shift", dynamic.base);
  dynamic.most = f.number("max_shift", dynamic.most);
  dynamic.base_tokens = f.number("base_image_seq_len", dynamic.base_tokens);
  dynamic.most_tokens = f.number("max_image_seq_len", dynamic.most_tokens);
  if (f.boolean("use_dynamic_shifting", false)) {
    if (dynamic.most_tokens == dynamic.base_tokens) {
      f.fail("max_image_seq_len", message<"must differ from base_image_seq_len">());
    }
    const bool linear =
        f.one_of("time_shift_type", "exponential", {"exponential", "linear"}) == "linear";
    dynamic.kind = linear ? DynamicShift::Kind::linear : DynamicShift::Kind::exponential;
    c.dynamic = dynamic;
  } else {
    f.text("time_shift_type", "");
  }
  f.only("invert_sigmas", false);
  c.terminal = f.number("shift_terminal", c.terminal);
  if (c.terminal >= 1) {
    f.fail("shift_terminal", message<"must be below 1; it is {found}">(
                                 ConfigFields::start_of(*f.find("shift_terminal"))));
  }
  f.refuse_others(kFlowHarmless);
  return c;
}

Json to_json(const FlowConfig& c) {
  Json json{{"_class_name", "FlowMatchEulerDiscreteScheduler"},
            {"num_train_timesteps", c.num_train_timesteps},
            {"shift", c.shift},
            {"use_dynamic_shifting", c.dynamic.has_value()}};
  if (c.dynamic) {
    json["base_shift"] = c.dynamic->base;
    json["max_shift"] = c.dynamic->most;
    json["base_image_seq_len"] = c.dynamic->base_tokens;
    json["max_image_seq_len"] = c.dynamic->most_tokens;
    json["time_shift_type"] =
        c.dynamic->kind == DynamicShift::Kind::linear ? "linear" : "exponential";
  }
  if (c.terminal > 0) {
    json["shift_terminal"] = c.terminal;
  }
  return json;
}

}  // namespace mantissa
