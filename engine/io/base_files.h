#pragma once

#include <filesystem>
#include <map>

#include "engine/preset/part.h"

namespace mantissa {

/// A base model whose parts are in files of their own, as ComfyUI keeps them: transformer, text
/// encoder and VAE. Stands on disk as JSON:
///
///     {"mantissa_base": 1, "denoiser": "diffusion_models/z_image_bf16.safetensors",
///      "te1": "text_encoders/qwen_3_4b.safetensors", "vae": "vae/ae.safetensors",
///      "te1_tokenizer": "tokenizer"}
///
/// Paths are absolute or from the JSON's folder. A part may be missing, or inside the denoiser's
/// file.
struct BaseFiles {
  std::map<Part, std::filesystem::path> parts;       ///< of kDenoiser at least
  std::map<Part, std::filesystem::path> tokenizers;  ///< folders, of text encoders
};

/// The key that such a JSON has, with the format's version.
inline constexpr const char* kBaseFilesKey = "mantissa_base";

/// Whether a base model's path is of such a JSON, by its ending: a folder isn't, whatever its name.
bool is_base_files(const std::filesystem::path& path);

/// With paths that can be opened. Throws Error naming file and key for what isn't as above.
BaseFiles read_base_files(const std::filesystem::path& json);

/// Atomically, with paths from the JSON's folder if the files lie below it, else absolute ones.
void write_base_files(const std::filesystem::path& json, const BaseFiles& files);

}  // namespace mantissa
