// Facts about diffusion-pipe behind this file: the optimizer's other keys are its class's
// arguments; the classes are PyTorch's, bitsandbytes', optimi's, its own, and by any further name
// those of pytorch-optimizer. optimi's AdamW and StableAdamW have betas of 0.9 and 0.99 and an
// epsilon of 1e-6 by default. Those two, AdamW8bitKahan, Automagic and GenericOptim sum BF16
// weights by Kahan; states have the type of the weights unless they are of 8 bits. GenericOptim is
// AdamW by default, with Muon for matrices of 32 rows and columns at least. One-dimensional weights
// have no decay. Automagic reads neither rates of groups nor schedules. linear and cosine fall over
// all epochs after the warm-up, linear to 0 and cosine to 1e-6. gradient_release updates after
// every batch. The LLM adapter's rate of 0 freezes it; SDXL's text encoders are trained at a rate
// of 0.

#include <cmath>

#include "engine/preset/import_diffusion_pipe_rules.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

constexpr double kCosineEnd = 1e-6;      ///< the rate that a cosine falls to
constexpr double kLeastMuonSide = 32;    ///< of matrices that GenericOptim orthogonalises
constexpr double kMostAutomagic = 1e-3;  ///< above it Automagic begins at the next one
constexpr double kAutomagicRate = 1e-6;

/// The rate of a class by default, by a part of its name.
double usual_rate(std::string_view name) {
  static constexpr std::pair<std::string_view, double> kRates[] = {{"automagic", kAutomagicRate},
                                                                   {"prodigy", 1},
                                                                   {"dadapt", 1},
                                                                   {"lion", 1e-4},
                                                                   {"came", 2e-4},
                                                                   {"muon", 2e-2}};
  const auto* found = std::ranges::find_if(
      kRates, [&](const auto& rate) { return name.find(rate.first) != std::string_view::npos; });
  return found == std::end(kRates) ? 1e-3 : found->second;
}

bool sums_by_kahan(std::string_view name) {
  static constexpr std::string_view kNames[] = {"adamw_optimi", "stableadamw", "adamw8bitkahan",
                                                "automagic", "genericoptim"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// Whether its state has the type of the weights. Of other classes that isn't known.
bool has_state_of_weights(std::string_view name) {
  static constexpr std::string_view kNames[] = {"adamw",   "adamw_optimi", "stableadamw",
                                                "offload", "genericoptim", "prodigy",
                                                "lion",    "came",         "adafactor"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// Whether GenericOptim orthogonalises what is trained.
bool has_generic_muon(const DiffusionPipe& d) {
  return d.flag("optimizer.muon") &&
         (!d.trains_adapter() || d.chosen().adapter.rank >= kLeastMuonSide);
}

void take_type(DiffusionPipe& d, ImportRow& row, const std::string& name, const Json& given) {
  const bool muon = name == "genericoptim" && has_generic_muon(d);
  if (muon) {
    d.take_changed(row, "optimizer.type", "muon", message<"The usual form of this optimizer.">());
    d.take(row, "optimizer.muon_scaling", "match_rms_adamw");
  } else if (name == "adamw_optimi" || name == "genericoptim") {
    d.take(row, "optimizer.type", "adamw");
  } else if (name == "adamw8bitkahan") {
    d.take(row, "optimizer.type", "adamw8bit");
  } else if (name == "offload") {
    d.take_changed(row, "optimizer.type", "adamw",
                   message<"State is not paged to the host here.">());
  } else {
    take_optimizer(d, row, short_value(given));
  }
}

/// What weights and states of 16 bits lose there.
void answer_bf16(DiffusionPipe& d, ImportRow& row, const std::string& name) {
  std::vector<Message> notes;
  if (row.fate == ImportFate::changed) {
    notes.push_back(row.note);
  }
  if (has_state_of_weights(name)) {
    notes.push_back(message<"State in bfloat16 there; see precision.optimizer_state.">());
  }
  if (sums_by_kahan(name)) {
    d.take(row, "precision.kahan", true);
  } else if (name == "adamw" || name == "adamw8bit" || name == "sgd" || name == "offload") {
    notes.push_back(message<"Weights in bfloat16 are rounded to the nearest there; here with "
                            "stochastic rounding.">());
  }
  if (!notes.empty()) {
    d.change(row, joined<" ">(std::move(notes)));
  }
}

void optimizer(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const std::string name = d.optimizer_name();
  take_type(d, row, name, value);
  if (d.chosen().precision.adapter == MasterType::bf16) {
    answer_bf16(d, row, name);
  }
}

bool is_automagic(const DiffusionPipe& d) {
  return d.chosen().optimizer.type == OptimizerType::automagic;
}
/// pytorch-optimizer's, whose betas are those of its AdamW.
bool has_muon_momentum(const DiffusionPipe& d) {
  return d.chosen().optimizer.type == OptimizerType::muon && d.optimizer_name() != "genericoptim";
}

void no_such_argument(DiffusionPipe& d, ImportRow& row) {
  d.change(row, message<"Not offered here: {what}.">(message<"this argument of the optimizer">()));
}

void betas(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (has_muon_momentum(d)) {
    no_such_argument(d, row);
  } else {
    d.take(row, "optimizer.betas", value);
  }
}

/// The second beta as the number of images after which half of an average is left.
void half_life(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const double images = as_number(value).value_or(0);
  if (images <= 0) {
    d.ignore(row, message<"Not used there.">());
    return;
  }
  d.take(row, "optimizer.betas",
         Json::array({d.chosen().optimizer.betas[0], std::pow(0.5, d.images_of_step() / images)}));
}

void second_beta(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_automagic(d)) {
    d.take(row, "optimizer.betas", {d.chosen().optimizer.betas[0], value});
  } else {
    no_such_argument(d, row);
  }
}

void momentum(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.chosen().optimizer.type == OptimizerType::sgd || has_muon_momentum(d)) {
    d.take(row, "optimizer.betas", {value, d.chosen().optimizer.betas[1]});
  } else {
    no_such_argument(d, row);
  }
}

void epsilon(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const Json& first = value.is_array() && !value.empty() ? value.front() : value;
  if (!is_automagic(d)) {
    d.take(row, "optimizer.eps", value);
  } else if (as_number(first) == 1e-30) {
    d.ignore(row, message<"The same here.">());
  } else {
    d.change(row, message<"Not offered here: {what}.">(message<"another epsilon of Automagic">()));
  }
}

/// What Adafactor does by itself, which finish_diffusion_pipe_optimizer says of it.
void adafactors_own(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.chosen().optimizer.type != OptimizerType::adafactor) {
    no_such_argument(d, row);
  } else if (is_off(value)) {
    d.ignore(row, message<"The same here.">());
  } else {
    d.ignore(row, kTogetherNote.said());
  }
}

void release(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_off(value) || d.batches() <= 1) {
    d.take(row, "optimizer.fused_back_pass", !is_off(value));
  } else {
    d.change(
        row,
        message<"Updates follow every batch there, here every gradient_accumulation batches.">());
  }
}

constexpr DiffusionPipeRule kPipeOptimizerRules[] = {
    {"optimizer.type", special, {}, optimizer},
    {"optimizer.lr", ignored, kTogetherNote},  // finish_diffusion_pipe_parts
    {"optimizer.betas", special, {}, betas},
    {"optimizer.beta2_half_life", special, {}, half_life},
    {"optimizer.beta2", special, {}, second_beta},
    {"optimizer.momentum", special, {}, momentum},
    {"optimizer.weight_decay", take, "optimizer.weight_decay"},
    {"optimizer.eps", special, {}, epsilon},
    {"optimizer.relative_step", special, {}, adafactors_own},
    {"optimizer.scale_parameter", special, {}, adafactors_own},
    {"optimizer.muon", ignored, kTogetherNote},
    {"optimizer.gradient_release", special, {}, release},
    {"lr_scheduler", ignored, kTogetherNote},  // finish_diffusion_pipe_schedule
    {"warmup_steps", ignored, kTogetherNote},
    {DiffusionPipe::kForcedRate, ignored, kTogetherNote},
};

/// A part with its rate; 0 leaves it frozen.
struct TrainedPart {
  DiffusionPipePart of;
  double rate = 0;
};

std::vector<TrainedPart> trained_parts(const DiffusionPipe& d, double general) {
  const DiffusionPipeModel& model = diffusion_pipe_model(d.chosen().model.family);
  const bool one_rate = d.has_forced_rate() || is_automagic(d);
  std::vector<TrainedPart> parts;
  for (const DiffusionPipePart& part : model.parts) {
    const double own = part.rate.empty() ? general : d.number(part.rate, general);
    const bool frozen = own == 0 && !part.rate.empty() && (model.has_layer_rates || !one_rate);
    if (!frozen) {
      parts.push_back({part, one_rate ? general : own});
    }
  }
  if (parts.empty()) {
    parts.push_back({{"denoiser", ""}, general});
  }
  return parts;
}

const TrainedPart* find_part(const std::vector<TrainedPart>& trained, std::string_view name) {
  const auto found =
      std::ranges::find_if(trained, [&](const TrainedPart& each) { return each.of.part == name; });
  return found == trained.end() ? nullptr : &*found;
}

/// The row of a part's own rate.
void mark_part(DiffusionPipe& d, const DiffusionPipePart& part,
               const std::vector<TrainedPart>& trained, double main) {
  ImportRow* row = d.find(part.rate) == nullptr ? nullptr : d.row(part.rate);
  const TrainedPart* own = find_part(trained, part.part);
  if (row == nullptr) {
    return;
  }
  if (own == nullptr) {
    d.mark(part.rate, {"training.parts"});
  } else if (d.has_forced_rate()) {
    d.ignore(*row, DiffusionPipe::forced_note());
  } else if (is_automagic(d)) {
    d.ignore(*row, message<"Not used there.">());
  } else {
    d.mark(part.rate,
           {offered_rate(own->rate) == main ? "optimizer.learning_rate" : "optimizer.groups"});
  }
}

/// The key of the first part's rate; the row of one that isn't given has the class's default.
void take_main_rate(DiffusionPipe& d, std::string_view key, double rate) {
  if (ImportRow* row = d.find(key) == nullptr ? nullptr : d.row(key)) {
    d.take(*row, "optimizer.learning_rate", rate);
  } else if (d.find("optimizer.type") != nullptr) {
    d.assume("optimizer.lr", "optimizer.learning_rate", rate,
             message<"Not given: the default of that optimizer.">());
  }
}

/// What counts for nothing beside a rate that is forced.
void mark_forced(DiffusionPipe& d) {
  for (const char* key : {"optimizer.lr", "lr_scheduler", "warmup_steps"}) {
    if (ImportRow* row = d.find(key) == nullptr ? nullptr : d.row(key)) {
      row->targets.clear();
      d.ignore(*row, DiffusionPipe::forced_note());
    }
  }
}

void take_schedule(DiffusionPipe& d, ImportRow& row, const std::string& name) {
  if (name == "constant") {
    d.take(row, "schedule.type", name);
    return;
  }
  if (name != "linear" && name != "cosine") {
    d.take_changed(row, "schedule.type", "constant",
                   message<"This schedule is not offered here: constant instead.">());
    return;
  }
  d.take(row, "schedule.type", name);
  if (const double rate = d.chosen().optimizer.learning_rate; name == "cosine" && rate > 0) {
    d.take(row, "schedule.min_factor", std::min(1.0, kCosineEnd / rate));
  }
  if (d.find("max_steps") != nullptr) {
    d.change(row,
             message<"Falls over all epochs there, whatever max_steps is; over the run here.">());
  } else if (d.number("warmup_steps", 0) > 0) {
    d.change(row, message<"Falls over all steps after the warm-up here.">());
  }
}

OptimizerDefaults defaults_of(std::string_view name) {
  OptimizerDefaults usual = library_defaults(name);
  if (name == "adamw_optimi" || name == "stableadamw") {
    usual = {.beta2 = 0.99, .eps = 1e-6};
  } else if (name == "genericoptim") {
    usual = {.eps = 1e-6, .weight_decay = 0};
  } else if (name.find("muon") != std::string_view::npos) {
    usual.weight_decay = 0;
  }
  return usual;
}

}  // namespace

void finish_diffusion_pipe_parts(DiffusionPipe& d) {
  const std::string name = d.optimizer_name();
  double general = d.number(DiffusionPipe::kForcedRate, d.number("optimizer.lr", usual_rate(name)));
  const bool lowered = is_automagic(d) && general > kMostAutomagic;
  general = offered_rate(lowered ? kAutomagicRate : general);
  const std::vector<TrainedPart> trained = trained_parts(d, general);
  const double main = offered_rate(trained.front().rate);
  Json parts = Json::array(), groups = Json::array();
  for (const TrainedPart& part : trained) {
    parts.push_back(std::string(part.of.part));
    if (const double rate = offered_rate(part.rate); rate != main) {
      groups.push_back({{"part", std::string(part.of.part)}, {"learning_rate", rate}});
    }
  }
  for (const DiffusionPipePart& part : diffusion_pipe_model(d.chosen().model.family).parts) {
    mark_part(d, part, trained, main);
    const bool taken = find_part(trained, part.part) != nullptr;
    if (taken && !part.rate.empty() && part.part != "denoiser") {
      d.assume(part.rate, "training.parts", parts,
               message<"Not given: {part} is trained too, as diffusion-pipe does.">(
                   std::string(part.part)));
    }
  }
  ImportRow scratch;
  d.take(scratch, "training.parts", parts);
  if (!groups.empty()) {
    d.take(scratch, "optimizer.groups", groups);
  }
  const std::string_view own = trained.front().of.rate;
  take_main_rate(d,
                 d.has_forced_rate()                          ? DiffusionPipe::kForcedRate
                 : d.find(own) != nullptr && !is_automagic(d) ? own
                                                              : "optimizer.lr",
                 main);
  for (const std::string_view key :
       {std::string_view("optimizer.lr"), DiffusionPipe::kForcedRate}) {
    if (d.find(key) != nullptr) {
      mark_rate(d, key);
    }
  }
  for (const DiffusionPipePart& part : diffusion_pipe_model(d.chosen().model.family).parts) {
    if (d.find(part.rate) != nullptr && d.number(part.rate, 1) != 0) {
      mark_rate(d, part.rate);
    }
  }
  if (ImportRow* row = lowered ? d.row("optimizer.lr") : nullptr) {
    d.change(*row, message<"Above 0.001, its rates begin at 1e-6 there.">());
  }
  if (d.has_forced_rate()) {
    mark_forced(d);
  }
}

void finish_diffusion_pipe_schedule(DiffusionPipe& d) {
  if (d.has_forced_rate()) {
    return;
  }
  for (const char* key : {"lr_scheduler", "warmup_steps"}) {
    ImportRow* row = d.find(key) == nullptr ? nullptr : d.row(key);
    if (row == nullptr) {
      continue;
    }
    if (is_automagic(d)) {
      d.ignore(*row, message<"Automagic has no schedule there.">());
    } else if (row->key == "warmup_steps") {
      d.take(*row, "schedule.warmup_steps", *d.find(key));
    } else {
      take_schedule(d, *row, lower_ascii(short_value(*d.find(key))));
    }
  }
}

void finish_diffusion_pipe_optimizer(DiffusionPipe& d) {
  if (d.find("optimizer.type") == nullptr) {
    return;
  }
  OptimizerKeys keys{.betas = "optimizer.betas",
                     .momentum = "optimizer.momentum",
                     .eps = "optimizer.eps",
                     .weight_decay = "optimizer.weight_decay"};
  if (is_automagic(d)) {
    keys.betas = {};
    keys.beta2 = "optimizer.beta2";
  } else if (has_muon_momentum(d)) {
    keys.betas = "optimizer.momentum";
  } else if (d.lacks(keys.betas) && d.number("optimizer.beta2_half_life", 0) > 0) {
    keys.betas = "optimizer.beta2_half_life";  // which gives the second one
  }
  assume_optimizer(d, defaults_of(d.optimizer_name()), keys,
                   message<"Not given: the default of that optimizer.">());
  if (d.chosen().optimizer.type == OptimizerType::adafactor) {
    const auto on = [&](std::string_view key) {
      const Json* given = d.find(key);
      return given == nullptr || !is_off(*given);
    };
    mark_adafactor(d, *d.row("optimizer.type"), on("optimizer.relative_step"),
                   on("optimizer.scale_parameter"));
  }
  const bool decays = !d.trains_adapter() && d.chosen().optimizer.weight_decay > 0;
  if (decays && d.find("optimizer.weight_decay") != nullptr) {
    d.change(*d.row("optimizer.weight_decay"),
             message<"Norms and biases have no weight decay there.">());
  }
}

std::span<const DiffusionPipeRule> diffusion_pipe_optimizer_rules() {
  return kPipeOptimizerRules;
}

}  // namespace mantissa
