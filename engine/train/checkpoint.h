#pragma once
// defines: CheckpointState, NamedBuffer, CheckpointFolder

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace mantissa {

/// Everything of a run that is not a tensor. Randomness needs no state: it is keyed by the step.
struct CheckpointState {
  std::int64_t step = 0;     ///< optimizer steps attempted
  std::int64_t updates = 0;  ///< steps that really moved the weights (schedule and EMA position)
  std::int64_t skips_in_row = 0;
  double loss_scale = 1;
  std::int64_t growth_counter = 0;
  std::int64_t seed = 0;
  std::map<std::string, std::int64_t> optimizer_updates;  ///< by part
  std::string dataset;                                    ///< fingerprint
  std::string plan;                                       ///< precision plan, JSON
  std::string preset;                                     ///< full, JSON
};

/// A buffer of the state, by name: "unet.parameters", "unet.exp_avg", …
struct NamedBuffer {
  std::string name;
  View view;
  Kernels* device = nullptr;  ///< whose memory it lies in; null: the host's
};

/// checkpoints/ of a run. A checkpoint is a folder step-NNNNNNNN with a manifest of sizes and
/// SHA-256; a folder without a valid manifest does not exist. Saving never touches an older one.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Writes to .tmp-…, syncs and re-reads every file, writes the manifest, renames. `write_extra`
  /// may put more files into the folder it is given. Throws Error (out_of_disk, non_finite: a
  /// state with NaN is never saved); whatever was there stays.
  std::filesystem::path save(const CheckpointState& state, std::span<const NamedBuffer> buffers,
                             const std::function<void(const std::filesystem::path&)>& write_extra);

  /// The newest checkpoint whose every byte verifies; damaged ones are told to `notice`.
  std::optional<std::filesystem::path> newest_valid(
      const std::function<void(const std::string&)>& notice) const;

  /// Fills `buffers` (names, dtypes and sizes must be the very ones saved) and returns the rest.
  static CheckpointState load(const std::filesystem::path& checkpoint,
                              std::span<const NamedBuffer> buffers);

  /// Removes all but the newest `keep` valid ones and left-over temporary folders. Call after a
  /// save: nothing is removed unless the newest verifies.
  void prune(int keep) const;

 private:
  std::vector<std::filesystem::path> newest_first() const;
  std::filesystem::path folder_;
};

/// Empty when every file is as the manifest says, else what is wrong.
std::string verify_checkpoint(const std::filesystem::path& checkpoint);

}  // namespace mantissa
