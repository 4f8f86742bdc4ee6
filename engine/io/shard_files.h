#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A shard's place in its set: "model" 2 of 3 for "model-00002-of-00003.safetensors".
struct ShardName {
  std::string set;
  int number = 0, count = 0;
};
/// Empty for any other file name.
std::optional<ShardName> shard_name(std::string_view file);

/// The shards of a folder without an index, in order: the one set of them, of several the one that
/// isn't a variant ("model.fp16-…"). Throws Error naming those that are missing, or the sets if
/// there are several.
std::vector<std::filesystem::path> unindexed_shards(
    const std::vector<std::filesystem::path>& shards);

}  // namespace mantissa
