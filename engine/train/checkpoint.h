#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/train/checkpoint_state.h"
#include "kernels/kernels.h"

namespace mantissa {

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
      const std::function<void(const Message&)>& notice) const;

  /// Whether there are checkpoints at all, intact or not.
  bool empty() const { return newest_first().empty(); }

  /// A file as the newest checkpoint that has it intact has it, and that checkpoint.
  struct Member {
    std::filesystem::path checkpoint;
    std::string text;
  };
  std::optional<Member> newest_member(const std::string& name) const;

  /// Renames the folder of checkpoints to one beside it that nothing writes to, and returns that.
  std::filesystem::path set_aside() const;

  static CheckpointState load_state(const std::filesystem::path& checkpoint);
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

/// The name, without ending, of the adapter or model that a checkpoint of a run of that name holds:
/// the same, unless its file would be the state's.
std::string checkpoint_result_name(const std::string& run_name);

/// Empty when every file is as the manifest says, else what is wrong.
Message verify_checkpoint(const std::filesystem::path& checkpoint);

}  // namespace mantissa
