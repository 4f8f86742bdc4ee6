#pragma once

#include <filesystem>

namespace mantissa {

/// What a dropped or named file or folder is.
enum class PathKind {
  model,     ///< a base model: a diffusers folder, or a .safetensors without settings
  images,    ///< any other folder
  settings,  ///< a preset, a configuration of another program, or an adapter that carries one
};

/// Decided by what the path holds. Any other file counts as settings; reading it reports what is
/// wrong.
PathKind path_kind(const std::filesystem::path& path);

/// A folder of a diffusers pipeline: it has an index, or a part with its config.json.
bool is_model_folder(const std::filesystem::path& folder);

}  // namespace mantissa
