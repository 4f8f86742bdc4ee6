#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "engine/core/message.h"
#include "engine/data/dataset.h"
#include "engine/data/scan_options.h"

namespace mantissa {

/// A file among a data set's that may be an image, and what is found out about it.
struct ImageCandidate {
  struct Skip {
    SkipKind kind;
    Message reason;
    std::filesystem::path legacy{};  ///< as in SkippedFile
  };

  ImageItem item;
  std::filesystem::path key;  ///< normal form, as in metadata
  std::optional<Skip> skip;   ///< why it is none of the data set's
  Message notice, mask_notice;
  Message lacks;  ///< its reference
};

/// Size, hash and validity of every candidate, its mask and its references, on a few threads.
/// Problems go into `skip`; what isn't a file's fault is thrown.
void inspect_images(std::span<ImageCandidate> candidates, const ScanOptions& options);

/// A size in pixels: "640x480".
std::string size_text(int width, int height);

}  // namespace mantissa
