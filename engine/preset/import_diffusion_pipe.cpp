// Facts about diffusion-pipe behind this file: a configuration has tables for the model, the
// adapter and the optimizer, and names a file of data sets, whose keys nothing else has; without a
// table for the adapter the model's own weights are trained. By default a step has one image,
// captions are never dropped, activations are kept and the learning rate is constant.

#include "engine/preset/import_diffusion_pipe.h"

#include <array>

#include "engine/preset/import_diffusion_pipe_rules.h"

namespace mantissa {
namespace {

/// Keys that no other trainer has.
constexpr std::array<std::string_view, 10> kPipeKeys{
    "micro_batch_size_per_gpu", "pipeline_stages", "caching_batch_size", "enable_ar_bucket",
    "num_ar_buckets",           "min_ar",          "ar_buckets",         "frame_buckets",
    "video_clip_mode",          "partition_method"};

bool has_own_key(const JsonNode& section) {
  return std::ranges::any_of(section.members, [](const JsonNode::Member& m) {
    return std::ranges::find(kPipeKeys, m.key) != kPipeKeys.end() || has_own_key(m.node);
  });
}

bool has_text(const JsonNode& root, std::string_view section, std::string_view key) {
  const JsonNode* table = find_member(root, section);
  const JsonNode* value = table == nullptr ? nullptr : find_member(*table, key);
  return value != nullptr && value->scalar.is_string();
}

/// Whether the file trains a model, beside what it may say of data.
bool is_training(const JsonNode& root) {
  return !is_diffusion_pipe_data(root) &&
         std::ranges::any_of(root.members, [](const JsonNode::Member& m) {
           return std::ranges::none_of(
               diffusion_pipe_data_rules(),
               [&](const DiffusionPipeRule& rule) { return rule.key == m.key; });
         });
}

/// Adds the file that the configuration names, if it lies beside; false if it doesn't, or can't be
/// read.
bool add_data_file(std::vector<SourceEntry>& entries, const FileBeside& beside) {
  const auto named = std::ranges::find_if(entries, [](const SourceEntry& entry) {
    return entry.key == "dataset" && entry.value.is_string();
  });
  if (!beside || named == entries.end()) {
    return false;
  }
  const std::string path = named->value.get<std::string>();
  const std::string name = path.substr(path.find_last_of("/\\") + 1);
  const std::optional<std::string> text = name.empty() ? std::nullopt : beside(name);
  JsonNode root;
  std::vector<LineProblem> problems;
  if (!text || !parse_toml_text(*text, root, problems) || !problems.empty() ||
      !is_diffusion_pipe_data(root)) {
    return false;
  }
  std::vector<SourceEntry> data = diffusion_pipe_data(root, name);
  entries.insert(entries.end(), data.begin(), data.end());
  return true;
}

void run_all(DiffusionPipe& d) {
  for (const auto rules :
       {diffusion_pipe_family_rules, diffusion_pipe_model_rules, diffusion_pipe_noise_rules,
        diffusion_pipe_data_rules, diffusion_pipe_training_rules, diffusion_pipe_optimizer_rules,
        diffusion_pipe_unused_rules}) {
    run_rules<DiffusionPipe>(d, rules());
  }
  answer_diffusion_pipe_groups(d);
}

void finish_training(DiffusionPipe& d, const Message& not_given) {
  if (!d.trains_adapter() && d.find("model.type") != nullptr) {
    d.assume("adapter", "training.method", "full",
             message<"Not given: without an adapter, the model's own weights are trained.">());
  }
  if (d.releases_gradients()) {
    d.assume("gradient_clipping", "training.max_grad_norm", 0,
             message<"Gradients are not clipped there with gradient_release.">());
  }
  finish_diffusion_pipe_noise(d, not_given);
  finish_diffusion_pipe_parts(d);
  finish_diffusion_pipe_schedule(d);
  finish_diffusion_pipe_optimizer(d);
}

}  // namespace

ImportResult import_diffusion_pipe(const JsonNode& root, std::string_view source_name,
                                   const FileBeside& beside) {
  const bool training = is_training(root);
  std::vector<SourceEntry> entries = training ? flatten_tree(root) : diffusion_pipe_data(root, "");
  const bool data_read = training && add_data_file(entries, beside);
  DiffusionPipe d(std::move(entries), ImportFormat::diffusion_pipe, source_name);
  d.data_read = data_read;
  run_all(d);
  const Message not_given = message<"Not given: the default of diffusion-pipe.">();
  if (data_read || !training) {
    finish_diffusion_pipe_data(d, not_given);
  }
  if (training) {
    finish_training(d, not_given);
  }
  return d.finish();
}

bool looks_like_diffusion_pipe(const JsonNode& root) {
  return has_own_key(root) || is_diffusion_pipe_data(root) ||
         (has_text(root, "model", "type") && has_text(root, "optimizer", "type"));
}

}  // namespace mantissa
