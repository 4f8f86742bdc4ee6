#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace mantissa::cuda {

/// Things built once per key and shared by threads. `Built::lasts` is false of one that couldn't be
/// built this time: it is tried again, after ever more calls.
template <typename Built>
class GraphCache {
 public:
  using Build = std::function<Built()>;

  /// `may_try_again`: false while it mustn't be built.
  Built get(const std::string& key, const Build& build, bool may_try_again) {
    const std::scoped_lock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) {
      return entries_.emplace(key, Entry{build()}).first->second.built;
    }
    Entry& entry = found->second;
    if (!entry.built.lasts && may_try_again && ++entry.calls >= entry.pause) {
      entry.built = build();
      entry.calls = 0;
      entry.pause *= 2;
    }
    return entry.built;
  }

 private:
  struct Entry {
    Built built;
    std::int64_t calls = 0, pause = 1;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace mantissa::cuda
