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

/// What became of changes that were not synced when the power went.
enum class Unsynced {
  dropped,    ///< none reached the disk
  kept,       ///< all did, but the last write only in part
  reordered,  ///< some sectors of some writes did, and of each folder's changes the first few
};

/// A folder as recorded calls left it in memory and on the disk. Only `sync` makes anything
/// durable: of a file its content, of a folder its entries.
class DiskImage {
 public:
  /// `root` with everything in it is durable at the start.
  explicit DiskImage(std::filesystem::path root);
  ~DiskImage();

  void apply(const TracedCall& call);

  /// Puts what a power loss now leaves on the disk in place of `root`. Sectors have 512 or 4096
  /// bytes.
  void lose_power(Unsynced how, std::mt19937& random) const;

  /// Whether a folder or file of this path, relative to the root, is sure to be there afterwards.
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
