#pragma once

#include <filesystem>

namespace mantissa {

/// What a file or folder is for, where somebody hands it over without a word.
enum class PathKind {
  model,     ///< a base model: a diffusers folder, or a .safetensors without settings
  images,    ///< any other folder
  settings,  ///< a preset, a configuration of another program, or an adapter that carries one
};

/// Told from what is there. A file that is nothing of this counts as settings: reading it says what
/// is wrong.
PathKind path_kind(const std::filesystem::path& path);

/// A folder of a diffusers pipeline: it has an index, or a part with its config.json.
bool is_model_folder(const std::filesystem::path& folder);

}  // namespace mantissa
