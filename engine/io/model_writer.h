#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/io/model_contents.h"

namespace mantissa {

/// Throws Error if a weight of the model has no name in a single file, or lacks those that it is
/// one tensor with there: before anything is computed for such a file. The family must have one.
void require_original_names(const ModelContents& model);
/// One file with the family's original names, the configs in `mantissa.config`. Throws Error for a
/// family that has no such file, and for values that the file's type can't hold.
void write_model_file(const std::filesystem::path& file, const ModelContents& model,
                      std::map<std::string, std::string> metadata = {});
/// A diffusers folder: a folder with config.json for each part, model_index.json, scheduler. It
/// appears whole or not at all (WholeFolder).
void write_model_folder(const std::filesystem::path& target, const ModelContents& contents);
/// A file where the name ends in .safetensors, else a folder.
void write_model(const std::filesystem::path& out, const ModelContents& model,
                 const std::map<std::string, std::string>& metadata = {});

}  // namespace mantissa
