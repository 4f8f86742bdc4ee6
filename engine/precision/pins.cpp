#include "engine/precision/pins.h"

#include <algorithm>

#include "engine/io/module_path.h"

namespace mantissa {

std::map<std::string, StorageType> canonical_pins(const std::map<std::string, StorageType>& pins) {
  std::map<std::string, StorageType> result;
  for (const auto& [pattern, type] : pins) {
    result[canonical_path(pattern)] = type;
  }
  for (const auto& [pattern, type] : pins) {
    if (canonical_path(pattern) == pattern) {
      result[pattern] = type;
    }
  }
  return result;
}

std::optional<StorageType> pinned_type(const std::map<std::string, StorageType>& pins,
                                       std::string_view path) {
  std::optional<StorageType> found;
  std::ptrdiff_t most = 0;
  for (const auto& [pattern, type] : pins) {
    const std::ptrdiff_t written = std::ssize(pattern) - std::ranges::count(pattern, '*');
    if (written >= most && names_module(pattern, path)) {
      found = type;
      most = written;
    }
  }
  return found;
}

void set_pin(std::map<std::string, StorageType>& pins, const std::string& path,
             std::optional<StorageType> type) {
  const std::string canonical = canonical_path(path);
  std::erase_if(pins, [&](const auto& pin) { return canonical_path(pin.first) == canonical; });
  if (type) {
    pins[canonical] = *type;
  }
}

}  // namespace mantissa
