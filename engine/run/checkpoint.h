#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/file_stamp.h"
#include "engine/run/checkpoint_state.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A buffer of the state, by name: "denoiser.parameters", "denoiser.exp_avg", …
struct NamedBuffer {
  std::string name;
  View view;
  Kernels* device = nullptr;  ///< the device it is on; null: host memory
  struct Share {
    View view;
    Kernels* device = nullptr;
  };
  /// What follows it on other devices: saved as one vector.
  std::vector<Share> more;

  Shape shape() const;
  /// Calls `use` with each share and its first byte.
  void each(const std::function<void(const Share& share, std::size_t at)>& use) const;
};

/// The bytes of all of a buffer.
std::vector<std::byte> host_bytes(const NamedBuffer& buffer);

/// The step of a checkpoint's folder, by its name: 500 of "step-00000500"; none for another name.
std::optional<std::int64_t> checkpoint_step(const std::filesystem::path& folder);

/// checkpoints/ of a run. A checkpoint is a folder step-NNNNNNNN with a manifest of sizes and
/// SHA-256; a folder without a valid manifest does not exist. Saving never touches an older one.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Writes to .tmp-…, syncs and re-reads every file, writes the manifest, renames. `write_extra`
  /// may add files to the given folder. Throws Error (out_of_disk, non_finite: a state with NaN is
  /// never saved); existing checkpoints stay.
  std::filesystem::path save(const CheckpointState& state, std::span<const NamedBuffer> buffers,
                             const std::function<void(const std::filesystem::path&)>& write_extra);

  /// The newest checkpoint that verifies completely; damaged ones are reported to `notice`.
  std::optional<std::filesystem::path> newest_valid(
      const std::function<void(const Message&)>& notice) const;

  /// The files of every checkpoint, with their stamps: taken before newest_valid, they show later
  /// whether a file is the one that was verified.
  std::vector<std::pair<std::filesystem::path, FileStamp>> stamps() const;

  /// Whether there are checkpoints at all, intact or not.
  bool empty() const { return newest_first().empty(); }

  /// A file's content in the newest checkpoint where it is intact, and that checkpoint.
  struct Member {
    std::filesystem::path checkpoint;
    std::string text;
  };
  std::optional<Member> newest_member(const std::string& name) const;

  /// Renames the checkpoint folder to a sibling that nothing writes to, and returns it.
  std::filesystem::path set_aside() const;

  static CheckpointState load_state(const std::filesystem::path& checkpoint);
  /// Fills `buffers` (names, dtypes and sizes must match the saved ones) and returns the rest.
  static CheckpointState load(const std::filesystem::path& checkpoint,
                              std::span<const NamedBuffer> buffers);

  /// Removes all but the newest `keep` valid ones and left-over temporary folders. Call after a
  /// save: nothing is removed unless the newest verifies. The steps of those removed.
  std::vector<std::int64_t> prune(int keep) const;

 private:
  std::vector<std::filesystem::path> newest_first() const;
  std::filesystem::path folder_;
};

/// The name, without extension, of the adapter or model in a checkpoint of this run: the same,
/// unless it would clash with the state file.
std::string checkpoint_result_name(const std::string& run_name);

/// Empty if every file matches the manifest, else the problem.
Message verify_checkpoint(const std::filesystem::path& checkpoint);

}  // namespace mantissa
