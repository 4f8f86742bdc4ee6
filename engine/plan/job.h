#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// What a run does if a disk is full. Waiting loses nothing; see RunObserver::on_disk_full.
enum class OnFullDisk { wait, stop };

/// One of the devices that share a model's layers.
struct SplitDevice {
  std::string name;          ///< "cuda:0"
  std::uint64_t budget = 0;  ///< bytes of it that the run may use; 0: JobSpec::memory_budget
};

/// A frozen adapter that is active while the run trains: in its losses, not in its samples or its
/// result.
struct TrainingAdapter {
  std::filesystem::path file;  ///< or PEFT's folder
  double weight = 1;
  bool operator==(const TrainingAdapter&) const = default;
};

/// Everything one run needs: the preset and this machine's paths.
struct JobSpec {
  Preset preset;
  std::filesystem::path base;                 ///< file, diffusers folder, or built in (is_built_in)
  std::vector<std::filesystem::path> images;  ///< folders, or "demo"
  std::vector<std::filesystem::path> prior;   ///< folders of prior-preservation images
  std::vector<std::filesystem::path> validation;  ///< folders of images never trained on
  /// Folders of reference images, by the names of the images that are made of them: an image's
  /// first reference is in the first. Or lists of pairs (.jsonl).
  std::vector<std::filesystem::path> references;
  std::filesystem::path out;  ///< run folder; empty: under the data directory
  bool overwrite = false;     ///< files not written by a run may be replaced by the run's and by
                              ///  `trace`
  std::string device = "cpu";
  /// The devices of one process that share the model's layers, in the order of the forward pass;
  /// `device` is the first. Empty: it has all of them.
  std::vector<SplitDevice> split;
  /// Whether every run of this build, card and driver gives the same bits; slower on a GPU. The CPU
  /// always does.
  bool deterministic = false;
  /// Bytes of a card that the run may use; 0: all that are free. Frozen weights stay in host memory
  /// as needed.
  std::uint64_t memory_budget = 0;
  std::optional<std::filesystem::path> resume;  ///< run folder (or run id) to continue
  /// Parts of the run (ingredient_parts) that a resumed run may find changed.
  std::vector<std::string> accept_changed;
  /// A run with only damaged checkpoints starts again; they are set aside.
  bool start_over = false;
  std::optional<std::filesystem::path> continue_from;  ///< an adapter to start from
  std::vector<TrainingAdapter> training_adapters;
  std::optional<DoraAxis> dora_axis;  ///< the axis of these files' magnitudes
  std::optional<std::filesystem::path> trace;
  std::int64_t trace_steps = 1;
  std::optional<std::filesystem::path> replay;
  OnFullDisk on_full_disk = OnFullDisk::wait;
  std::int64_t health_every = 50;  ///< steps between layer statistics; 0: never
};

}  // namespace mantissa
