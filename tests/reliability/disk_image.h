#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/reliability/shim/file_trace.h"

namespace mantissa {

/// Fate of unsynced changes at a power loss.
enum class Unsynced {
  dropped,    ///< none reached the disk
  kept,       ///< all did, but the last write only partially
  reordered,  ///< some sectors of some writes did, and the first few of each folder's changes
};

/// A folder's state in memory and on disk after recorded calls. Only `sync` makes anything durable:
/// a file's content, a folder's entries.
class DiskImage {
 public:
  /// `root` with everything in it is durable at the start.
  explicit DiskImage(std::filesystem::path root);
  ~DiskImage();

  void apply(const TracedCall& call);

  /// Replaces `root` with what a power loss now would leave on disk. Sectors have 512 or 4096
  /// bytes.
  void lose_power(Unsynced how, std::mt19937& random) const;

  /// Whether a folder or file of this path, relative to the root, is certain to exist afterwards.
  bool is_durable(const std::string& path) const;

 private:
  struct Node;
  struct Pending;
  struct Change;
  using Entries = std::map<std::string, std::shared_ptr<Node>>;
  struct Place {
    std::shared_ptr<Node> folder;
    std::string name;
  };

  std::shared_ptr<Node> load(const std::filesystem::path& path) const;
  std::shared_ptr<Node> find(const std::string& path) const;
  std::shared_ptr<Node> node_of(const TracedCall& call) const;
  Place place_of(const std::string& path) const;
  void change(const std::string& path, std::shared_ptr<Node> node);
  static void write_out(const Node& node, const std::filesystem::path& path, Unsynced how,
                        std::mt19937& random);

  std::filesystem::path root_;
  std::shared_ptr<Node> top_;
};

/// The calls of a file that the shim wrote.
std::vector<TracedCall> read_trace(const std::filesystem::path& file);

}  // namespace mantissa
