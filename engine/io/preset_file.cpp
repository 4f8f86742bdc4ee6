#include "engine/io/preset_file.h"

#include <cstdint>
#include <string>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

/// The header's length comes first; eight text characters would be a number far too large.
bool is_safetensors(const std::string& start) {
  if (start.size() < 9) {
    return false;
  }
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) {
    length = length << 8 | static_cast<unsigned char>(start[static_cast<std::size_t>(i)]);
  }
  return length <= 100'000'000;
}

}  // namespace

ImportResult import_preset_file(const std::filesystem::path& file) {
  const std::string name = path_to_utf8(file.filename());
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw Error(message<"{file} is a folder; choose a preset, a configuration or an adapter">(
        path_to_utf8(file)));
  }
  const std::string text = read_bytes(file, kPresetMaxBytes + 1);
  if (is_safetensors(text)) {
    return import_preset_metadata(SafetensorsFile::open(file).metadata(), name);
  }
  if (text.rfind("PK\x03\x04", 0) == 0 || text.rfind("\x80\x02", 0) == 0) {
    throw Error(message<"{file} is a pickle or zip file, which can hold programs and is never "
                        "opened; convert it to .safetensors first">(name));
  }
  return import_preset_text(text, name);
}

}  // namespace mantissa
