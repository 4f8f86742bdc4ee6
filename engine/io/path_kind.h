#pragma once

#include <filesystem>

namespace mantissa {

/// The kind of a dropped or named file or folder.
enum class PathKind {
  /// A base model: a diffusers folder, a JSON that lists one's files, a GGUF file, or a
  /// .safetensors without settings.
  model,
  images,    ///< any other folder
  settings,  ///< a preset, a configuration of another program, or an adapter that carries one
};

/// Determined by content. Any other file counts as settings; reading it reports the problem.
PathKind path_kind(const std::filesystem::path& path);

/// Whether it is a diffusers folder, with an index or a part with its config.json.
bool is_model_folder(const std::filesystem::path& folder);

}  // namespace mantissa
