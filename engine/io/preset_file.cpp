#include "engine/io/preset_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/inspect.h"
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

/// A file of text in the same folder, of a preset's size at most.
std::optional<std::string> text_beside(const std::filesystem::path& file, const std::string& name) {
  const std::filesystem::path own = path_from_utf8(name);
  const std::filesystem::path other = file.parent_path() / own;
  std::error_code error;
  if (own != own.filename() || !std::filesystem::is_regular_file(other, error)) {
    return std::nullopt;
  }
  try {
    std::string text = read_bytes(other, kPresetMaxBytes + 1);
    return text.size() > kPresetMaxBytes || is_safetensors(text) ? std::nullopt
                                                                 : std::optional(std::move(text));
  } catch (const Error&) {
    return std::nullopt;  // the row says that it wasn't read
  }
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
    const SafetensorsFile adapter = SafetensorsFile::open(file);
    const bool adapts_text = std::ranges::any_of(adapter.tensors(), [](const TensorInfo& t) {
      return is_text(part_of_adapter_tensor(t.name));
    });
    return import_preset_metadata(adapter.metadata(), name, adapts_text);
  }
  if (text.rfind("PK\x03\x04", 0) == 0 || text.rfind("\x80\x02", 0) == 0) {
    throw Error(message<"{file} is a pickle or zip file, which can hold programs and is never "
                        "opened; convert it to .safetensors first">(name));
  }
  return import_preset_text(text, name,
                            [&](const std::string& other) { return text_beside(file, other); });
}

}  // namespace mantissa
