#pragma once
// Anyone's adapter file, read as other programs read it.

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/core/message.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"
#include "engine/readers/read_as.h"

namespace mantissa {

struct FileReadings {
  std::vector<ReaderVerdict> verdicts;
  /// What the file means, as `mantissa convert` reads it.
  std::vector<AdapterModule> modules;
  bool bundles_words = false;  ///< embeddings, which `mantissa convert` keeps in the file
  /// Why that isn't known, so that no layer was checked; empty if it is.
  Message unknown;
};

/// Throws Error for a folder, and for a file that is no safetensors. `axis` as in read_adapter.
FileReadings read_file_as(const std::filesystem::path& file, const WeightSource& base,
                          std::span<const Reader* const> as, std::optional<DoraAxis> axis = {});

/// The format of `mantissa convert` whose files of these modules `reader` reads as meant: the first
/// that does, of output.format's. Small copies of the modules are written and read back, of rank 1.
/// Empty if no format is.
std::optional<OutputFormat> format_for(const Reader& reader, std::span<const AdapterModule> modules,
                                       const WeightSource& base);

}  // namespace mantissa
