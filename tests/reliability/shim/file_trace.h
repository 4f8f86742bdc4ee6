#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace mantissa {

/// A change of the file system that succeeded.
enum class FileCall : std::uint8_t {
  create,    ///< a file
  truncate,  ///< to `offset` bytes
  write,     ///< `data` at `offset`
  sync,      ///< a file's content, a folder's entries
  rename,    ///< to the path in `data`
  remove,    ///< a file or an empty folder
  make_folder,
};

struct TracedCall {
  FileCall call{};
  std::string path;  ///< at the time of the call
  std::int64_t offset = 0;
  std::string data;
};

/// Call, offset, bytes of path and data, path, data.
inline std::string pack_call(const TracedCall& c) {
  const std::uint64_t numbers[] = {static_cast<std::uint64_t>(c.call),
                                   static_cast<std::uint64_t>(c.offset), c.path.size(),
                                   c.data.size()};
  std::string bytes(reinterpret_cast<const char*>(numbers), sizeof numbers);
  return bytes + c.path + c.data;
}

/// Removes the first call from `bytes`; false if no complete one is left.
inline bool unpack_call(std::string_view& bytes, TracedCall& c) {
  std::uint64_t numbers[4];
  if (bytes.size() < sizeof numbers) {
    return false;
  }
  std::memcpy(numbers, bytes.data(), sizeof numbers);
  if (bytes.size() - sizeof numbers < numbers[2] + numbers[3]) {
    return false;
  }
  c = {static_cast<FileCall>(numbers[0]), std::string(bytes.substr(sizeof numbers, numbers[2])),
       static_cast<std::int64_t>(numbers[1]),
       std::string(bytes.substr(sizeof numbers + numbers[2], numbers[3]))};
  bytes.remove_prefix(sizeof numbers + numbers[2] + numbers[3]);
  return true;
}

}  // namespace mantissa
