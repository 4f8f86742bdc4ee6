#include "engine/data/encoding_store.h"

#include <utility>

#include "engine/core/paths.h"

namespace mantissa {

bool EncodingStore::has(const EncodingEntry& entry) {
  if (memory_.contains(entry.key) || read_.contains(entry.key)) {
    return true;
  }
  std::map<std::string, HostTensor> tensors;
  if (!entry.on_disk || !disk_ || !disk_->get(entry.key, entry.source, tensors)) {
    return false;
  }
  read_.insert(entry.key);
  return true;
}

bool EncodingStore::lists(const EncodingEntry& entry) const {
  return memory_.contains(entry.key) || (entry.on_disk && disk_ && disk_->contains(entry.key));
}

void EncodingStore::keep(const EncodingEntry& entry, std::map<std::string, HostTensor> tensors,
                         const EntryForm& form) {
  if (entry.on_disk && disk_) {
    disk_->put(entry.key, entry.source, tensors, form);
  } else {
    memory_[entry.key] = std::move(tensors);
  }
}

std::map<std::string, HostTensor> EncodingStore::load(const EncodingEntry& entry) const {
  if (const auto it = memory_.find(entry.key); it != memory_.end()) {
    return it->second;
  }
  std::map<std::string, HostTensor> tensors;
  if (!disk_ || !disk_->get(entry.key, entry.source, tensors)) {
    throw EncodingGone(message<"{source}: its cached encoding disappeared from {place} while "
                               "training. Resume the run: what is missing is encoded again">(
        entry.source,
        disk_ ? Message::verbatim(path_to_utf8(disk_->folder())) : message<"memory">()));
  }
  return tensors;
}

}  // namespace mantissa
