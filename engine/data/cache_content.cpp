#include "engine/data/cache_content.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <system_error>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/data/cache_use.h"
#include "engine/io/safetensors.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

struct CachedEntry {
  fs::path path;
  std::string kind, base;
  bool older = false;
  std::uint64_t bytes = 0;
  std::int64_t days = 0;  ///< since it was used
};

/// The kind of an entry that doesn't tell, by the tensors in it.
std::string kind_of(const SafetensorsFile& file) {
  return file.find("mean") != nullptr                                      ? "latents"
         : file.find("mask") != nullptr && file.find("context") == nullptr ? "mask"
                                                                           : "text";
}

CachedEntry described(const fs::directory_entry& file) {
  std::error_code none;
  CachedEntry entry{file.path(), "damaged", {}, false, file.file_size(none), 0};
  const auto unused = fs::file_time_type::clock::now() - file.last_write_time(none);
  entry.days = std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::hours>(unused).count() / 24);
  try {
    const SafetensorsFile opened = SafetensorsFile::open(file.path());
    const auto field = [&](const char* key) {
      const auto found = opened.metadata().find(key);
      return found == opened.metadata().end() ? std::string() : found->second;
    };
    if (!field("checksum").empty()) {
      entry.kind = field("kind");
      entry.base = field("base");
      entry.older = entry.kind.empty();
      entry.kind = entry.older ? kind_of(opened) : entry.kind;
    }
  } catch (const Error&) {  // stays damaged
  }
  return entry;
}

void for_each_entry(const fs::path& cache, const std::function<void(const CachedEntry&)>& use) {
  std::error_code none;
  for (const auto& folder : fs::directory_iterator(cache / "tensors", none)) {
    if (!folder.is_directory(none)) {
      continue;
    }
    for (const auto& file : fs::directory_iterator(folder.path(), none)) {
      if (file.is_regular_file(none) && file.path().extension() == ".safetensors") {
        use(described(file));
      }
    }
  }
}

bool is_chosen(const CachedEntry& entry, const PruneChoice& choice) {
  return choice.all || entry.kind == "damaged" || (choice.older && entry.older) ||
         (choice.unused_days && entry.days >= *choice.unused_days);
}

}  // namespace

std::vector<CacheGroup> list_cache(const fs::path& cache) {
  std::map<std::tuple<std::string, std::string, bool>, CacheGroup> groups;
  for_each_entry(cache, [&](const CachedEntry& entry) {
    const auto [at, is_new] = groups.try_emplace({entry.kind, entry.base, entry.older});
    CacheGroup& group = at->second;
    group.newest_days = is_new ? entry.days : std::min(group.newest_days, entry.days);
    group.oldest_days = std::max(group.oldest_days, entry.days);
    group.kind = entry.kind;
    group.base = entry.base;
    group.older = entry.older;
    ++group.entries;
    group.bytes += entry.bytes;
  });
  std::vector<CacheGroup> list;
  for (const auto& [key, group] : groups) {
    list.push_back(group);
  }
  return list;
}

PrunedEntries prune_cache(const fs::path& cache, const PruneChoice& choice) {
  const CachePruning exclusive(cache);
  PrunedEntries pruned;
  for_each_entry(cache, [&](const CachedEntry& entry) {
    if (!is_chosen(entry, choice)) {
      return;
    }
    std::error_code error;
    fs::remove(entry.path, error);
    if (error) {
      throw Error(message<"{file} can't be removed: {reason}">(path_to_utf8(entry.path),
                                                               system_message(error)));
    }
    ++pruned.entries;
    pruned.bytes += entry.bytes;
  });
  return pruned;
}

}  // namespace mantissa
