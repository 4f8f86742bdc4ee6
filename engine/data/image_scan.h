#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/message.h"
#include "engine/data/data_finding.h"
#include "engine/data/dataset.h"
#include "engine/data/scan_options.h"

namespace mantissa {

/// Finds the images of `folders`, recursively, in a fixed order. Types are detected by content.
/// Caption: `<name>.txt` beside the image, else `<name>.caption`, else its line in the nearest
/// `metadata.jsonl` (file_name, text) at or above it, else that of a list of references
/// (reference_list.h), else the name of its folder. Names are equal
/// in all of Unicode's forms. `<name>-masklabel.png`, or another image of that name, beside an
/// image is its mask, never an image; nor is OneTrainer's `<name>-condlabel.png`. Hidden files and
/// folders are skipped and counted, as are a run's own samples, results and records, and caches
/// (program_folder.h), and folders and lists of references; a folder reached twice through links is
/// entered once. An image whose caption can't be read is skipped: training it under another text
/// would be a silent change. Needs a live ImageLibrary. Throws Error naming the folder if one is
/// missing or no image is left (with the accepted types and the first reasons).
Dataset scan_images(std::span<const std::filesystem::path> folders,
                    const ScanOptions& options = {});

}  // namespace mantissa
