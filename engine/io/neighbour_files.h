#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace mantissa {

/// How many files are read in each folder.
inline constexpr std::size_t kMostNeighbours = 100;

/// Where ComfyUI keeps the other parts of a model whose transformer is `file`: its own folder, and
/// text_encoders, clip and vae beside that folder. Those that exist, as written from `file`.
std::vector<std::filesystem::path> neighbour_folders(const std::filesystem::path& file);

/// The .safetensors and .gguf files of these folders but `file` itself, by folder and name, at most
/// kMostNeighbours of each; a file that links make appear twice is listed once. What can't be read
/// is passed over.
std::vector<std::filesystem::path> neighbour_files(const std::filesystem::path& file);

}  // namespace mantissa
