#include "engine/preset/preset_library.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

/// Ids and files, without reading them.
std::vector<std::pair<std::string, fs::path>> preset_files(const fs::path& folder) {
  std::vector<std::pair<std::string, fs::path>> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json" && it->is_regular_file()) {
      files.emplace_back(path_to_utf8(it->path().stem()), it->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<PresetEntry> PresetLibrary::list() const {
  std::vector<PresetEntry> entries;
  for (auto& [id, file] : preset_files(folder_)) {
    entries.push_back({id, file, load_preset(file)});
  }
  return entries;
}

Preset PresetLibrary::load(std::string_view id_or_path) const {
  const fs::path path = path_from_utf8(id_or_path);
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) {
    return load_preset(path);
  }
  const auto files = preset_files(folder_);
  std::vector<std::string_view> ids;
  for (const auto& [id, file] : files) {
    if (id == id_or_path) {
      return load_preset(file);
    }
    ids.push_back(id);
  }
  const std::string_view nearest = nearest_word(id_or_path, ids);
  if (!nearest.empty()) {
    throw Error(message<"{preset} is neither a file nor a built-in preset; did you mean {near}?">(
        id_or_path, nearest));
  }
  if (ids.empty()) {
    throw Error(message<"{preset} is neither a file nor a built-in preset; the built-in ones are "
                        "missing from this installation">(id_or_path));
  }
  throw Error(
      message<"{preset} is neither a file nor a built-in preset; the built-in ones are {presets}">(
          id_or_path, fmt::format("{}", fmt::join(ids, ", "))));
}

Preset preset_from_metadata(const std::map<std::string, std::string>& metadata,
                            std::string_view source) {
  const auto found = metadata.find(std::string(kPresetMetadataKey));
  if (found == metadata.end()) {
    throw Error(
        message<"{file} carries no preset: its metadata has no \"{key}\", so it was not written by "
                "Mantissa, or without its preset">(source, kPresetMetadataKey));
  }
  return parse_preset(found->second, fmt::format("{} ({})", source, kPresetMetadataKey));
}

}  // namespace mantissa
