// Facts about other libraries behind this file: Lion, Adafactor, Prodigy, D-Adaptation, CAME, Adam
// and SGD decay nothing by default, AdamW 0.01; Lion's second beta is 0.99, and PyTorch's SGD has
// no momentum; transformers' Adafactor scales each update by the size of the weights.
// PyTorch's Adam, and AI Toolkit's adam8, add their decay to the gradients; bitsandbytes' Adam
// doesn't. schedulefree's classes decay nothing; PyTorch's Muon has a momentum of 0.95 and a decay
// of 0.1. Automagic decays nothing by default and keeps its rates in 8 bits; Automagic 2 has one
// rate for a matrix, and Automagic 3 one for all.

#include "engine/preset/import_optimizers.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// The first whose part a name contains counts.
struct NamedDefaults {
  std::string_view part;
  OptimizerDefaults usual;
};
constexpr NamedDefaults kNamedDefaults[] = {
    {"dadaptadan", {.beta1 = 0.98, .beta2 = 0.92, .weight_decay = 0.02}},
    {"dadapt", {.weight_decay = 0}},
    {"prodigyplus", {.beta2 = 0.99, .weight_decay = 0}},
    {"schedulefree", {.weight_decay = 0}},
    {"muon", {.beta1 = 0.95, .weight_decay = 0.1}},
    {"prodigy", {.weight_decay = 0}},
    {"lion", {.beta2 = 0.99, .weight_decay = 0}},
    {"adafactor", {.weight_decay = 0}},
    {"automagic", {.weight_decay = 0}},
    {"came", {.weight_decay = 0}},
    {"nesterov", {.weight_decay = 0}},
    {"sgd", {.beta1 = 0, .weight_decay = 0}},
    {"adamw", {}},
    {"adamax", {.weight_decay = 0}},
};

}  // namespace

OptimizerDefaults library_defaults(std::string_view given) {
  std::string name = lower_ascii(given);
  std::erase(name, '_');
  const auto* found = std::ranges::find_if(kNamedDefaults, [&](const NamedDefaults& row) {
    return name.find(row.part) != std::string::npos;
  });
  if (found != std::end(kNamedDefaults)) {
    return found->usual;
  }
  const bool adam = name == "adam" || name == "adam8bit" || name == "adam8" || name == "pagedadam";
  return adam ? OptimizerDefaults{.weight_decay = 0,
                                  .decays_gradients = name == "adam" || name == "adam8"}
              : OptimizerDefaults{};
}

void assume_optimizer(ImportContext& context, const OptimizerDefaults& usual,
                      const OptimizerKeys& keys, const Message& not_given) {
  const Preset::Optimizer chosen = context.chosen().optimizer;
  const OptimizerRow& row = optimizer_row(chosen.type);
  const auto lacks = [&](std::string_view key) { return !key.empty() && context.lacks(key); };
  if (lacks(keys.weight_decay) && chosen.weight_decay != usual.weight_decay) {
    context.assume(keys.weight_decay, "optimizer.weight_decay", usual.weight_decay, not_given);
  }
  if (usual.decays_gradients && chosen.weight_decay > 0 && !lacks(keys.weight_decay)) {
    context.change(*context.row(keys.weight_decay),
                   message<"Added to the gradients there; here the weights themselves decay.">());
  }
  if (row.uses_eps && lacks(keys.eps) && chosen.eps != usual.eps) {
    context.assume(keys.eps, "optimizer.eps", usual.eps, not_given);
  }
  const bool sgd = chosen.type == OptimizerType::sgd;
  if (!row.uses_betas || (sgd && !keys.momentum.empty() && !lacks(keys.momentum)) ||
      (!keys.betas.empty() && !lacks(keys.betas))) {
    return;
  }
  // Where one of two keys is given, the other one has the default.
  const std::array<double, 2> betas{context.number(keys.beta1, usual.beta1),
                                    context.number(keys.beta2, usual.beta2)};
  const std::string_view missing = sgd && !keys.momentum.empty() ? keys.momentum
                                   : !keys.betas.empty()         ? keys.betas
                                   : lacks(keys.beta2)           ? keys.beta2
                                                                 : keys.beta1;
  if (betas != chosen.betas && lacks(missing)) {
    context.assume(missing, "optimizer.betas", Json(betas), not_given);
  }
}

bool take_averaging_optimizer(ImportContext& context, ImportRow& row, std::string_view given) {
  std::string name = lower_ascii(given);
  std::erase(name, '_');
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (has("muon")) {
    context.take(row, "optimizer.type", "muon");
    context.take(row, "optimizer.muon_scaling", "original");
    context.change(row, message<"Vectors are updated by AdamW at the same rate.">());
  } else if (has("prodigyplus") || (has("prodigy") && has("schedulefree"))) {
    context.take(row, "optimizer.type", "prodigyschedulefree");
    context.change(row, message<"Its second moment is kept in full here, and its options have "
                                "their defaults.">());
  } else if (has("schedulefree")) {
    context.take(row, "optimizer.type", "adamwschedulefree");
    if (!has("adamw") || has("radamw")) {
      context.change(row, message<"The schedule-free form of AdamW.">());
    }
  } else {
    return false;
  }
  return true;
}

bool take_automagic(ImportContext& context, ImportRow& row, std::string_view given) {
  const std::string name = lower_ascii(given);
  constexpr std::string_view kName = "automagic";
  const std::size_t found = name.rfind(kName);
  if (found == std::string::npos) {
    return false;
  }
  if (found + kName.size() == name.size()) {
    context.take(row, "optimizer.type", kName);
    context.change(row, message<"Its rates are FP32 here, and 8 bits there.">());
  } else {
    context.take(row, "optimizer.type", "adamw");
    context.change(row,
                   message<"{optimizer} is another method than automagic and not offered here: "
                           "adamw instead, whose usual learning rate is 1e-4.">(
                       short_value(std::string(given))));
  }
  return true;
}

void mark_adafactor(ImportContext& context, ImportRow& row, bool relative, bool scaled) {
  std::vector<Message> notes;
  if (relative) {
    notes.push_back(
        message<"Its rate is its own there (relative_step): here it is the learning rate.">());
  }
  if (scaled) {
    notes.push_back(
        message<"Its updates are scaled by the size of the weights there (scale_parameter), not "
                "here.">());
  }
  if (!notes.empty()) {
    context.change(row, joined<" ">(std::move(notes)));
  }
}

}  // namespace mantissa
