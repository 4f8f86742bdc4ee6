#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// A built-in preset: `id` is its file's stem ("sdxl-lora").
struct PresetEntry {
  std::string id;
  std::filesystem::path file;
  Preset preset;
};

/// The presets shipped with Mantissa: every *.json in one folder.
class PresetLibrary {
 public:
  explicit PresetLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }

  /// Sorted by id. Throws Error if a file is not a valid preset; a missing folder is empty.
  std::vector<PresetEntry> list() const;

  /// A file's path, else the id of a built-in preset. Throws Error naming the nearest id.
  Preset load(std::string_view id_or_path) const;

 private:
  std::filesystem::path folder_;
};

/// Metadata key of the preset in a written adapter.
inline constexpr std::string_view kPresetMetadataKey = "mantissa.preset";

/// The preset embedded in an adapter file's metadata; `source` names the file in errors.
Preset preset_from_metadata(const std::map<std::string, std::string>& metadata,
                            std::string_view source);

}  // namespace mantissa
