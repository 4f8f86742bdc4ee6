#pragma once

#include <functional>

#include "engine/core/progress.h"
#include "engine/data/dataset.h"
#include "engine/data/reference_files.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// What a scan for images asks of a file, and where it looks for captions, masks and references.
struct ScanOptions {
  int min_side = 8;  ///< pixels; smaller images are skipped as too small
  /// Decode every image now, so that a truncated one is found before training. An image for which
  /// `trusted` returns true (its latents are cached) isn't decoded.
  bool decode = true;
  /// With files, an image whose mask can't be used is skipped: training all of it would be a
  /// silent change.
  MaskMode masks = MaskMode::off;
  std::function<bool(const ImageItem&)> trusted;
  /// If given, an image that lacks one of its references, or whose reference can't be used, is
  /// skipped: without it the model would learn another task.
  ReferenceFiles* references = nullptr;
  /// Names of folders give repeats and captions (folder_repeats.h).
  bool folder_repeats = false;
  /// An empty data set is not an error: for inspection only.
  bool allow_empty = false;
  int threads = 0;    ///< for hashing and decoding; 0: one per core, at most 8
  Progress progress;  ///< phase "scanning"; called on the caller's thread
};

}  // namespace mantissa
