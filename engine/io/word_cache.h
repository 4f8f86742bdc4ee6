#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/io/bpe_json.h"

namespace mantissa {

/// Ids of words already encoded: captions of one dataset share most of theirs. Once full it keeps
/// what it has. Safe to share between threads.
class WordCache {
 public:
  /// Appends the ids of `word`; false if they aren't known.
  bool find(std::string_view word, std::vector<std::int32_t>& ids) const {
    const std::shared_lock lock(mutex_);
    const auto at = words_.find(word);
    if (at == words_.end()) {
      return false;
    }
    ids.insert(ids.end(), at->second.begin(), at->second.end());
    return true;
  }
  void put(std::string_view word, std::span<const std::int32_t> ids) {
    if (word.size() > kLongestWord) {
      return;
    }
    const std::unique_lock lock(mutex_);
    if (words_.size() < kMostWords) {
      words_.try_emplace(std::string(word), ids.begin(), ids.end());
    }
  }

 private:
  static constexpr std::size_t kMostWords = 20000, kLongestWord = 64;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, std::vector<std::int32_t>, TokenHash, std::equal_to<>> words_;
};

}  // namespace mantissa
