#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/core/error.h"
#include "engine/core/host_tensor.h"
#include "engine/data/cache.h"

namespace mantissa {

/// One encoded item: an image's latents, its mask, or a text.
struct EncodingEntry {
  std::string key;      ///< cache_key of all that it depends on
  std::string source;   ///< its name in messages
  bool on_disk = true;  ///< whether it goes to the disk cache, if there is one
};

/// An encoding that was there before training and isn't any more: the cache was emptied meanwhile.
class EncodingGone : public Error {
 public:
  using Error::Error;
};

/// Encodings by key: on disk, where they outlive the run, or in memory.
class EncodingStore {
 public:
  /// `disk`: empty to keep everything in memory.
  explicit EncodingStore(std::optional<TensorCache> disk) : disk_(std::move(disk)) {}

  bool has_disk() const { return disk_.has_value(); }
  /// Whether there is a good entry: every one is read whole once.
  bool has(const EncodingEntry& entry);
  /// Makes `has` read every entry again: some may be gone.
  void forget_read() { read_.clear(); }
  /// Whether there is an entry, by its header alone.
  bool lists(const EncodingEntry& entry) const;
  /// Throws as TensorCache::put; the values must be finite.
  void keep(const EncodingEntry& entry, std::map<std::string, HostTensor> tensors,
            const EntryForm& form = {});
  /// Throws EncodingGone naming the source if the entry is gone or damaged.
  std::map<std::string, HostTensor> load(const EncodingEntry& entry) const;

 private:
  std::optional<TensorCache> disk_;
  std::map<std::string, std::map<std::string, HostTensor>> memory_;
  std::set<std::string> read_;  ///< keys of disk entries that were read and are valid
};

}  // namespace mantissa
