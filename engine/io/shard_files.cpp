#include "engine/io/shard_files.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kShardOf = "-of-";
constexpr std::string_view kShardEnd = ".safetensors";
constexpr std::size_t kShardDigits = 5;

std::optional<int> number_of(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = digits.size() == kShardDigits && error == std::errc{} &&
                     end == digits.data() + digits.size() && value > 0;
  return whole ? std::optional(value) : std::nullopt;
}

using ShardSet = std::map<int, fs::path>;  // by number

std::string example_name(const std::pair<std::string, int>& set, int number) {
  return fmt::format("{}-{:05}-of-{:05}.safetensors", set.first, number, set.second);
}

}  // namespace

std::optional<ShardName> shard_name(std::string_view file) {
  if (!file.ends_with(kShardEnd)) {
    return std::nullopt;
  }
  const std::string_view stem = file.substr(0, file.size() - kShardEnd.size());
  const std::size_t of = stem.rfind(kShardOf);
  if (of == std::string_view::npos || of < kShardDigits + 1 || stem[of - kShardDigits - 1] != '-') {
    return std::nullopt;
  }
  const auto number = number_of(stem.substr(of - kShardDigits, kShardDigits));
  const auto count = number_of(stem.substr(of + kShardOf.size()));
  if (!number || !count || *number > *count) {
    return std::nullopt;
  }
  return ShardName{std::string(stem.substr(0, of - kShardDigits - 1)), *number, *count};
}

std::vector<fs::path> unindexed_shards(const std::vector<fs::path>& shards) {
  std::map<std::pair<std::string, int>, ShardSet> sets;
  for (const fs::path& shard : shards) {
    if (const auto name = shard_name(path_to_utf8(shard.filename()))) {
      sets[{name->set, name->count}].emplace(name->number, shard);
    }
  }
  const auto is_variant = [](const auto& set) {
    return set.first.first.find('.') != std::string::npos;
  };
  if (!std::ranges::all_of(sets, is_variant)) {
    std::erase_if(sets, is_variant);
  }
  if (sets.empty()) {
    return {};
  }
  const auto& [set, found] = *sets.begin();
  const std::string where = "'" + path_to_utf8(found.begin()->second.parent_path()) + "'";
  if (sets.size() > 1) {
    throw Error(message<"{path} holds several sets of shards without an index ({files}); keep one">(
        where, example_name(set, 1) + ", " + example_name(std::next(sets.begin())->first, 1)));
  }
  std::vector<std::string> missing;
  std::vector<fs::path> files;
  for (int number = 1; number <= set.second; ++number) {
    if (const auto at = found.find(number); at != found.end()) {
      files.push_back(at->second);
    } else if (missing.size() < 3) {
      missing.push_back(example_name(set, number));
    }
  }
  if (!missing.empty()) {
    throw Error(message<"{path} holds {count} of {all} shards and no index: {files} is missing; "
                        "get the model again">(where, files.size(), set.second,
                                               fmt::format("{}", fmt::join(missing, ", "))));
  }
  return files;
}

}  // namespace mantissa
