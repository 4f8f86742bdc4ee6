#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// What a run does where a disk is full. Waiting, it loses nothing; see RunObserver::on_disk_full.
enum class OnFullDisk { wait, stop };

/// Everything one run needs: the preset and this machine's paths.
struct JobSpec {
  Preset preset;
  std::filesystem::path base;                     ///< checkpoint file, diffusers folder, or "demo"
  std::vector<std::filesystem::path> images;      ///< folders, or "demo"
  std::vector<std::filesystem::path> prior;       ///< folders of prior-preservation images
  std::vector<std::filesystem::path> validation;  ///< folders of images never trained on
  std::filesystem::path out;                      ///< run folder; empty: under the data directory
  bool overwrite = false;  ///< files that no run made may be replaced by the run's and by `trace`
  std::string device = "cpu";
  /// The same bits on every run of this build, card and driver; slower on a GPU. The CPU always is.
  bool deterministic = false;
  /// Bytes of a card that the run may take; 0: all that are free. Frozen weights stay in host
  /// memory as far as that asks for it.
  std::uint64_t memory_budget = 0;
  std::optional<std::filesystem::path> resume;  ///< run folder (or run id) to continue
  /// Parts of the run (ingredient_parts) that a resumed run may find changed.
  std::vector<std::string> accept_changed;
  /// A run whose every checkpoint is damaged begins again; they are set aside.
  bool start_over = false;
  std::optional<std::filesystem::path> continue_from;  ///< an adapter that is the start
  std::optional<DoraAxis> dora_axis;  ///< answers which side that file's magnitudes are for
  std::optional<std::filesystem::path> trace;
  std::int64_t trace_steps = 1;
  std::optional<std::filesystem::path> replay;
  OnFullDisk on_full_disk = OnFullDisk::wait;
  std::int64_t health_every = 50;  ///< steps between layer statistics; 0: never
};

}  // namespace mantissa
