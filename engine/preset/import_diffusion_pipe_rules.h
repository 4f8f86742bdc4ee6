#pragma once
// Private to the importer of diffusion-pipe's files.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/family_table.h"
#include "engine/preset/import_rules.h"

namespace mantissa {

struct DiffusionPipe : ImportContext {
  using ImportContext::ImportContext;
  bool data_read = false;  ///< the file of data sets that the configuration names was read too

  /// Without a table for the adapter, the model's own weights are trained there.
  bool trains_adapter() const {
    return std::ranges::any_of(
        entries(), [](const SourceEntry& entry) { return entry.key.starts_with("adapter"); });
  }
  std::string optimizer_name() const { return lower_ascii(text("optimizer.type")); }
  /// Updates follow every batch: there is nothing to accumulate or to clip.
  bool releases_gradients() const { return flag("optimizer.gradient_release"); }
  /// A rate that counts before all others, and without a schedule.
  bool has_forced_rate() const { return find(kForcedRate) != nullptr; }
  /// Batches of an update.
  double batches() const { return std::max(1.0, number("gradient_accumulation_steps", 1)); }
  /// Images of an update on one device, by the batch size that counts for this there: the first.
  double images_of_step() const;

  static constexpr std::string_view kForcedRate = "force_constant_lr";
  static Message forced_note() {
    return message<"{key} counts instead.">(std::string(kForcedRate));
  }
};

using DiffusionPipeRule = ImportRule<DiffusionPipe>;

inline const DiffusionPipeModel& diffusion_pipe_model(ModelFamily family) {
  return family_row(family).in_diffusion_pipe;
}
/// The layers that an adapter covers there, as a value of adapter.targets.
nlohmann::json diffusion_pipe_layers(const DiffusionPipe& d);

/// Keys that become settings, in the order of application: the model with what counts for single
/// families; then its types, the adapter, noise levels and the loss; data, training, optimizer.
std::span<const DiffusionPipeRule> diffusion_pipe_family_rules();
std::span<const DiffusionPipeRule> diffusion_pipe_model_rules();
std::span<const DiffusionPipeRule> diffusion_pipe_noise_rules();
std::span<const DiffusionPipeRule> diffusion_pipe_data_rules();
std::span<const DiffusionPipeRule> diffusion_pipe_training_rules();
std::span<const DiffusionPipeRule> diffusion_pipe_optimizer_rules();
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const DiffusionPipeRule> diffusion_pipe_unused_rules();

/// The keys of a file of data sets; `file` is its name, if it lies beside.
std::vector<SourceEntry> diffusion_pipe_data(const JsonNode& root, const std::string& file);
bool is_diffusion_pipe_data(const JsonNode& root);

/// After the rules, in this order; `not_given` is the note on a default.
void finish_diffusion_pipe_data(DiffusionPipe& d, const Message& not_given);
void finish_diffusion_pipe_noise(DiffusionPipe& d, const Message& not_given);
void finish_diffusion_pipe_parts(DiffusionPipe& d);
void finish_diffusion_pipe_schedule(DiffusionPipe& d);
void finish_diffusion_pipe_optimizer(DiffusionPipe& d);
/// Rows without a rule whose whole group has one answer.
void answer_diffusion_pipe_groups(DiffusionPipe& d);

}  // namespace mantissa
