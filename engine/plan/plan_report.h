#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/log_level.h"
#include "engine/core/message.h"
#include "engine/data/bucket_table.h"
#include "engine/plan/run_length.h"
#include "engine/precision/verdict.h"
#include "engine/preset/family_table.h"

namespace mantissa {

struct Finding {
  std::string id;  ///< "S4"
  Verdict verdict = Verdict::works;
  std::vector<std::string> fields;
  Message message;
  std::string fix_json;   ///< a preset patch, "{}" if there is none
  std::string changes{};  ///< what an adjustment applied: "precision.compute fp16 -> bf16, …"
};

/// A line that a run logs before its first step.
struct PlanNotice {
  LogLevel level = LogLevel::info;
  Message text;
};

/// One module of the base model, with its storage and compute types.
struct PlannedModule {
  std::string path;  ///< "denoiser.down_blocks.1.attentions.0.proj_in"
  std::string kind;  ///< linear | conv | norm | embedding | bias
  std::string storage, compute;
  Message reason;  ///< why it isn't its part's default; empty if it is
};

/// Summary of a run's folders.
struct PlannedData {
  std::int64_t images = 0;      ///< trained on, without those for prior preservation
  std::int64_t prior = 0;       ///< for prior preservation
  std::int64_t held_out = 0;    ///< for validation
  std::int64_t masks = 0;       ///< images with a mask
  std::int64_t references = 0;  ///< images with references
  std::int64_t skipped = 0;     ///< files
  std::int64_t batches_per_epoch = 0;
  Message copies;  ///< exact ones among the images, in one line; empty if there are none
  std::vector<ResolutionUse> resolutions;
};

/// Disk space that a run needs in a folder.
struct PlannedDisk {
  std::filesystem::path folder;
  std::uint64_t needed_bytes = 0;
  std::uint64_t free_bytes = 0;
  bool fits() const { return needed_bytes <= free_bytes; }
};

/// Intervals of PlanReport::levels.
inline constexpr int kLevelIntervals = 50;

/// The displayed content of a plan.
struct PlanReport {
  /// The base model's; `automatic` if neither base nor preset tells. Only from DraftPlanner.
  ModelFamily family = ModelFamily::automatic;
  std::string precision_json;
  std::uint64_t peak_bytes = 0;  ///< arena + weights + adapters + optimizer + packed copies
  std::uint64_t arena_bytes = 0;
  std::uint64_t weight_bytes = 0;
  std::uint64_t adapter_bytes = 0;     ///< masters, gradients, optimizer state, EMA
  std::uint64_t checkpoint_bytes = 0;  ///< on disk, approximately
  std::uint64_t result_bytes = 0;      ///< of the adapter or model that the run writes at its end
  /// Checkpoints, those kept and the one being written, plus a fifth; and the result.
  PlannedDisk disk;
  /// Encoded images and captions that the disk cache lacks; only if images were given.
  PlannedDisk cache;
  std::uint64_t streamed_bytes = 0;  ///< weights in host memory, which the peak doesn't count
  std::uint64_t free_bytes = 0;      ///< available on the device, or the budget below that
  /// Only from plan_training: estimated, of the largest step on a card with known rates or on the
  /// CPU, by rates measured there; 0: unknown.
  double step_seconds = 0;
  /// Seconds of all steps, without preparing, validation and samples; 0: unknown.
  double run_seconds() const { return step_seconds * static_cast<double>(length.steps); }
  RunLength length;
  /// Only from plan_training: how densely the steps cover the noise levels (level_density), from
  /// the image to noise; empty: unknown.
  std::vector<double> levels;
  /// In catalogue order; those that just work (Verdict::works) come last.
  std::vector<Finding> findings;
  /// Only from preflight: what a run would log about its files while it prepares.
  std::vector<PlanNotice> notices;
  std::vector<PlannedModule> modules;  ///< only from plan_training, by path
  std::optional<PlannedData> data;     ///< only from plan_training, if images were given
  /// Whether the peak fits into free memory; true if that isn't known.
  bool fits() const { return free_bytes == 0 || peak_bytes <= free_bytes; }

  /// The fields that tell of memory.
  static constexpr auto memory() {
    return field_list(Field{"peak_bytes", &PlanReport::peak_bytes},
                      Field{"arena_bytes", &PlanReport::arena_bytes},
                      Field{"weight_bytes", &PlanReport::weight_bytes},
                      Field{"adapter_bytes", &PlanReport::adapter_bytes},
                      Field{"streamed_bytes", &PlanReport::streamed_bytes},
                      Field{"free_bytes", &PlanReport::free_bytes});
  }
  /// The numbers of a plan, without what only a page about plans shows.
  static constexpr auto fields() {
    constexpr auto kLength = &PlanReport::length;
    return joined_fields(
        memory(), field_list(Field{"checkpoint_bytes", &PlanReport::checkpoint_bytes},
                             Field{"steps", kLength, &RunLength::steps},
                             Field{"batches_per_epoch", kLength, &RunLength::batches_per_epoch},
                             Field{"batches_per_step", kLength, &RunLength::batches_per_step}));
  }
};

}  // namespace mantissa
