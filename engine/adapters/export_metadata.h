#pragma once

#include <map>
#include <span>
#include <string>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/export_options.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// The texts in the header of an adapter's file, by key.
using AdapterMetadata = std::map<std::string, std::string>;

/// What readers of kohya's files expect (ss_*), ModelSpec's fields (modelspec.*) and the preset, of
/// modules in the form of their file.
AdapterMetadata adapter_metadata(std::span<const AdapterModule> modules,
                                 const AdapterExport& options);

/// Hashes by which other programs identify a file: over the tensor bytes, and the legacy one over
/// 64 KiB at 1 MiB of the file written with ss_ metadata only.
void add_hashes(AdapterMetadata& metadata, std::span<const TensorToWrite> tensors);

}  // namespace mantissa
