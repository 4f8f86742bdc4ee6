// Facts about AI Toolkit behind this table: a job has processes, of which a LoRA's has one; the
// rank defaults to 4, the rate to 1e-6, Adam's epsilon to 1e-6, alpha to 1, where it counts, and
// that of convolutions to their rank; adapters cover every linear layer of a transformer's blocks
// or of a UNet, and the UNet's larger convolutions where network.conv is given.

#include "engine/preset/import_ai_toolkit.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/preset/import_ai_toolkit_rules.h"
#include "engine/preset/import_families.h"
#include "engine/preset/import_optimizers.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_sets.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Adds the leaves of a tree with their full paths, and keys with `key` in front.
void add_leaves(const JsonNode& node, const std::string& path, const std::string& key,
                const std::string& superseded_by, std::vector<SourceEntry>& out,
                const Message& why = {}) {
  for (SourceEntry& entry : flatten_tree(node)) {
    entry.path = path + "." + entry.path;
    entry.key = key.empty() ? entry.key : key + "." + entry.key;
    entry.superseded_by = superseded_by;
    entry.passed_over = why;
    out.push_back(std::move(entry));
  }
}

/// Several frames of a file are a video.
Message no_images_because(const JsonNode& set) {
  const JsonNode* frames = find_member(set, "num_frames");
  return is_on(set, "is_reg") ? kRegularisationSet.said()
         : frames != nullptr && as_number(frames->value()).value_or(1) > 1 ? kVideoSet.said()
                                                                           : Message();
}

/// A slider's section, which may have a list of data sets of its own.
void add_slider(const JsonNode& slider, const std::string& path, const std::string& first,
                std::vector<SourceEntry>& out) {
  for (const JsonNode::Member& m : slider.members) {
    if (m.key == "datasets" && m.node.is_array) {
      for (std::size_t i = 0; i < m.node.items.size(); ++i) {
        add_leaves(m.node.items[i], fmt::format("{}.datasets[{}]", path, i), "slider.datasets",
                   first, out);
      }
    } else {
      out.push_back({path + "." + m.key, "slider." + m.key, m.node.value(), m.line, first});
    }
  }
}

/// One process: its data sets are a list, of which the first one counts that isn't passed over.
void add_process(const JsonNode& process, const std::string& path, const std::string& first,
                 std::vector<SourceEntry>& out) {
  for (const JsonNode::Member& m : process.members) {
    const std::string place = path + "." + m.key;
    if (m.key == "datasets" && m.node.is_array) {
      const std::size_t counting = counting_set(m.node.items, no_images_because);
      for (std::size_t i = 0; i < m.node.items.size(); ++i) {
        const bool counts = i == counting;
        add_leaves(m.node.items[i], fmt::format("{}[{}]", place, i), "datasets",
                   counts ? first : fmt::format("{}[{}]", place, counting), out,
                   counts ? Message() : no_images_because(m.node.items[i]));
      }
    } else if (m.node.is_object && !m.node.members.empty()) {
      if (m.key == "slider") {
        add_slider(m.node, place, first, out);
      } else {
        add_leaves(m.node, place, m.key, first, out);
      }
    } else {
      out.push_back({place, m.key, m.node.value(), m.line, first});
    }
  }
}

std::vector<SourceEntry> ai_toolkit_entries(const JsonNode& root) {
  std::vector<SourceEntry> out;
  for (const JsonNode::Member& m : root.members) {
    if (m.key != "config" || !m.node.is_object) {
      if (m.node.is_object && !m.node.members.empty()) {
        add_leaves(m.node, m.key, m.key, "", out);
      } else {
        out.push_back({m.key, m.key, m.node.value(), m.line});
      }
      continue;
    }
    for (const JsonNode::Member& inner : m.node.members) {
      const std::string place = "config." + inner.key;
      if (inner.key == "process" && inner.node.is_array) {
        for (std::size_t i = 0; i < inner.node.items.size(); ++i) {
          add_process(inner.node.items[i], fmt::format("{}[{}]", place, i),
                      i == 0 ? "" : place + "[0]", out);
        }
      } else if (inner.node.is_object && !inner.node.members.empty()) {
        add_leaves(inner.node, place, place, "", out);
      } else {
        out.push_back({place, place, inner.node.value(), inner.line});
      }
    }
  }
  return out;
}

void replace_rate(AiToolkit& a, const char* key, double rate, const Message& note) {
  a.preset().optimizer.groups.clear();
  if (ImportRow* row = a.find(key) == nullptr ? nullptr : a.row(key)) {
    a.take_changed(*row, "optimizer.learning_rate", rate, note);
  } else {
    a.assume("train.lr", "optimizer.learning_rate", rate, note);
  }
}

/// Optimizers that find the rate by themselves are given 1 in place of one below 0.1, and Automagic
/// 1e-6 in place of one above 0.001.
void replace_unusual_rate(AiToolkit& a, const char* key, double rate) {
  const std::string name = lower_ascii(a.text("train.optimizer"));
  const bool finds_rate = name.starts_with("prodigy") || name.starts_with("dadaptation");
  if (finds_rate && rate < 0.1) {
    replace_rate(a, key, 1, message<"Below 0.1, this optimizer has a rate of 1 there.">());
  } else if (name == "automagic" && rate > 1e-3) {
    replace_rate(a, key, 1e-6, message<"Above 0.001, its rates begin at 1e-6 there.">());
  }
}

void finish_parts(AiToolkit& a) {
  const double general = offered_rate(a.number("train.lr", 1e-6));
  const int encoders = family_row(a.preset().model.family).adapted_encoders();
  const bool can_train_text = encoders > 0;
  const bool text = a.flag("train.train_text_encoder") && can_train_text;
  const bool denoiser = a.find("train.train_unet") == nullptr || a.flag("train.train_unet");
  Json parts = Json::array(), groups = Json::array();
  const double rate = offered_rate(a.number("train.unet_lr", general));
  const double text_rate = offered_rate(a.number("train.text_encoder_lr", general));
  if (denoiser || !text) {
    parts.push_back("denoiser");
  }
  const double main = parts.empty() ? text_rate : rate;
  for (const char* part : {"te1", "te2"}) {
    if (text && (part[2] == '1' || encoders > 1)) {
      parts.push_back(part);
      if (text_rate != main) {
        groups.push_back({{"part", part}, {"learning_rate", text_rate}});
      }
    }
  }
  ImportRow scratch;
  a.take(scratch, "training.parts", parts);
  a.mark("train.train_unet", {"training.parts"});
  a.mark("train.train_text_encoder", {"training.parts"});
  if (a.flag("train.train_text_encoder") && !can_train_text) {
    a.change(*a.row("train.train_text_encoder"),
             message<"Text encoders of this model family stay frozen here.">());
  }
  const char* key = a.find("train.unet_lr") != nullptr ? "train.unet_lr" : "train.lr";
  if (ImportRow* row = a.find(key) == nullptr ? nullptr : a.row(key)) {
    a.take(*row, "optimizer.learning_rate", main);
  } else {
    a.assume("train.lr", "optimizer.learning_rate", main,
             message<"Not given: the default of AI Toolkit.">());
  }
  if (!groups.empty() && a.take(scratch, "optimizer.groups", groups)) {
    a.mark("train.text_encoder_lr", {"optimizer.groups"});
  }
  for (const char* each : {"train.lr", "train.unet_lr", "train.text_encoder_lr"}) {
    mark_rate(a, each);
  }
  replace_unusual_rate(a, key, main);
}

void finish_cache(AiToolkit& a) {
  const bool latents = a.flag("datasets.cache_latents_to_disk") || a.flag("datasets.cache_latents");
  const bool text =
      a.flag("train.cache_text_embeddings") || a.flag("datasets.cache_text_embeddings");
  ImportRow scratch;
  a.take(scratch, "data.cache", latents && text ? "all" : latents ? "latents" : "none");
  for (const char* key : {"datasets.cache_latents_to_disk", "datasets.cache_latents",
                          "train.cache_text_embeddings", "datasets.cache_text_embeddings"}) {
    a.mark(key, {"data.cache"});
  }
  if (text && !latents) {
    for (const char* key : {"train.cache_text_embeddings", "datasets.cache_text_embeddings"}) {
      if (ImportRow* row = a.find(key) == nullptr ? nullptr : a.row(key)) {
        a.change(*row, message<"Captions are cached only together with images here.">());
      }
    }
  }
  a.assume("datasets.cache_latents_to_disk", "data.cache", latents ? "latents" : "none",
           message<"Not given: the default of AI Toolkit.">());
}

/// AI Toolkit gives each an epsilon, and switches off what Adafactor does by itself.
void finish_optimizer(AiToolkit& a, const Message& note) {
  const Json* type = a.find("train.optimizer");
  const std::string name = type == nullptr ? "adamw" : lower_ascii(short_value(*type));
  OptimizerDefaults usual = library_defaults(name);
  usual.eps = 1e-6;
  usual.weight_decay = name == "adamw8" ? 0 : usual.weight_decay;
  OptimizerKeys keys{.betas = "train.optimizer_params.betas",
                     .momentum = "train.optimizer_params.momentum",
                     .eps = "train.optimizer_params.eps",
                     .weight_decay = "train.optimizer_params.weight_decay"};
  if (a.chosen().optimizer.type == OptimizerType::automagic) {
    keys.betas = {};
    keys.beta2 = "train.optimizer_params.beta2";
  }
  assume_optimizer(a, usual, keys, note);
  if (type != nullptr && a.chosen().optimizer.type == OptimizerType::adafactor) {
    mark_adafactor(a, *a.row("train.optimizer"),
                   a.flag("train.optimizer_params.relative_step") ||
                       a.flag("train.optimizer_params.warmup_init"),
                   a.flag("train.optimizer_params.scale_parameter"));
  }
}

/// A LoKr's larger matrices whole: of a UNet those of its convolutions too.
void finish_full_rank(AiToolkit& a, const Message& note) {
  ImportRow scratch;
  if (a.conv) {
    a.take(scratch, "adapter.conv_rank", kMostRank);
  }
  a.assume("network.lokr_full_rank", "adapter.rank", kMostRank, note);
  a.assume("network.lokr_full_rank", "adapter.alpha", kMostRank, note);
}

void finish_network(AiToolkit& a, const Message& note) {
  if (a.has_full_rank()) {
    finish_full_rank(a, note);
  } else {
    if (a.lacks("network.rank")) {
      a.assume("network.linear", "adapter.rank", 4, note);
    }
    const double rank = a.rank_there(), conv = a.number("network.conv", 0);
    if (a.lacks("network.alpha")) {
      a.assume("network.linear_alpha", "adapter.alpha",
               alpha_here(a, a.has_alpha() ? 1 : rank, rank), note);
    }
    if (a.conv && alpha_here(a, conv, conv) != a.preset().adapter.alpha) {
      Json entries = Json::array();
      add_conv_entries(entries, a.preset().adapter.conv_rank, alpha_here(a, conv, conv));
      a.assume("network.conv_alpha", "adapter.ranks", entries, note);
    }
  }
  a.assume("network.type", "adapter.targets", ai_toolkit_layers(a.preset().model.family, a.conv),
           note);
}

void finish_defaults(AiToolkit& a) {
  const Message note = message<"Not given: the default of AI Toolkit.">();
  finish_ai_toolkit_schedule(a, note);
  if (a.batches() > 1) {
    a.assume("train.steps", "training.steps", a.updates(1000), note);
  }
  if (!a.trains_pair_slider()) {
    a.assume("datasets.resolution", "data.resolution", 512, note);
  }
  a.assume("train.gradient_checkpointing", "training.gradient_checkpointing", true, note);
  a.assume("save.dtype", "output.dtype", "fp16", note);
  a.assume("save.save_every", "output.save_every", a.updates(1000), note);
  a.assume("save.max_step_saves_to_keep", "output.keep", 5, note);
  if (!a.flag("train.disable_sampling")) {
    a.assume("sample.sample_every", "samples.every", a.updates(100), note);
  }
  if (trains_slider(a.preset())) {
    a.assume("slider.anchor_strength", "slider.anchor_weight", kSliderAnchorShare, note);
  }
  const bool is_flow = a.text("train.noise_scheduler") == "flowmatch";
  if (is_flow && !has_no_flow(a.preset()) && !a.flag("train.linear_timesteps")) {
    a.assume("train.timestep_type", "training.timesteps", "sigmoid", note);
  }
  if (a.flag("model.quantize") && !family_row(a.preset().model.family).has_unet) {
    const std::string type = a.text("model.qtype_te");
    a.assume("model.quantize_te", "precision.weights.text_encoders",
             type == "qint8" || type == "int8" ? "int8" : "fp8_e4m3", note);
  }
  finish_optimizer(a, note);
  const bool has_network =
      std::any_of(a.entries().begin(), a.entries().end(),
                  [](const SourceEntry& e) { return e.key.starts_with("network."); });
  if (!has_network) {
    a.assume("network", "training.method", "full",
             message<"Not given: without a network, the model's own weights are trained.">());
    return;
  }
  finish_network(a, note);
}

/// Processes that train a network, or the model's own weights without one.
constexpr std::string_view kAiToolkitTrainers[] = {"sd_trainer", "diffusion_trainer", "ui_trainer",
                                                   "concept_slider",
                                                   "image_reference_slider_trainer"};

/// Kinds of training within such a process, by a section that asks for them.
struct JobSection {
  std::string_view prefix;
  RuleText job;
};
constexpr JobSection kOtherSections[] = {
    {"embedding.", kTextualInversion},
    {"decorator.", kTextualInversion},
    {"adapter.", words<"training of an image adapter">},
};

void refuse_other_jobs(AiToolkit& a) {
  const std::string type = a.text("type");
  const auto is = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  const bool trains =
      type.empty() || std::find(std::begin(kAiToolkitTrainers), std::end(kAiToolkitTrainers),
                                type) != std::end(kAiToolkitTrainers);
  if (!trains) {
    const Message job = is("slider")              ? kSliders.said()
                        : is("textual_inversion") ? kTextualInversion.said()
                        : is("merge")             ? message<"merging models">()
                                      : message<"the process {name}">(short_value(type));
    refuse_job(a, *a.row("type"), job);
  }
  for (const JobSection& section : kOtherSections) {
    for (std::size_t i = 0; i < a.entries().size(); ++i) {
      const SourceEntry& entry = a.entries()[i];
      if (entry.key.starts_with(section.prefix) && entry.superseded_by.empty() &&
          !is_unset(entry.value)) {
        refuse_job(a, a.row_at(i), section.job.said());
      }
    }
  }
}

}  // namespace

ImportResult import_ai_toolkit(const JsonNode& root, std::string_view source_name) {
  const JsonNode& job = *find_member(root, "job");
  if (job.scalar != "extension" && job.scalar != "train") {
    throw Error(message<"{file}:{line}: the job \"{job}\" of AI Toolkit does not train; expected "
                        "extension or train">(source_name, job.line, short_value(job.value())));
  }
  AiToolkit a(ai_toolkit_entries(root), ImportFormat::ai_toolkit, source_name);
  refuse_other_jobs(a);
  run_rules<AiToolkit>(a, ai_toolkit_model_rules());
  run_rules<AiToolkit>(a, ai_toolkit_training_rules());
  run_rules<AiToolkit>(a, ai_toolkit_schedule_rules());
  run_rules<AiToolkit>(a, ai_toolkit_unused_rules());
  finish_ai_toolkit_pairs(a);
  answer_ai_toolkit_groups(a);
  finish_parts(a);
  finish_cache(a);
  finish_sets(a, {.folder = "datasets.folder_path",
                  .repeats = "datasets.num_repeats",
                  .prefix = {},
                  .weight = "datasets.loss_multiplier",
                  .resolution = "datasets.resolution",
                  .lists_sides = true,
                  .usual_side = 512});
  finish_defaults(a);
  return a.finish();
}

bool looks_like_ai_toolkit(const JsonNode& root) {
  const JsonNode* config = find_member(root, "config");
  return config != nullptr && find_member(root, "job") != nullptr &&
         find_member(*config, "process") != nullptr;
}

}  // namespace mantissa
