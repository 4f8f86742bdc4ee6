#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "engine/io/safetensors.h"

namespace mantissa {

/// Types as files name them ("I16"), by tensor, of those whose type the engine lacks.
using OtherTypes = std::map<std::string, std::string>;

/// write_safetensors with such tensors, whose own dtype doesn't count.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata, const OtherTypes& types);

}  // namespace mantissa
