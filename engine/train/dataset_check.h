#pragma once

#include <filesystem>
#include <vector>

#include "engine/core/progress.h"
#include "engine/data/buckets.h"
#include "engine/data/image_scan.h"
#include "engine/data/loader.h"
#include "engine/data/sets.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// What training would make of some folders, found out without training.
struct DatasetCheck {
  Dataset data;                       ///< with the prior-preservation images last
  std::vector<ImageItem> validation;  ///< never trained on
  int quantum = 64;                   ///< pixels that every side is a multiple of
  std::vector<Bucket> buckets;        ///< all that there are
  std::vector<std::size_t> bucket_of_item;
  std::vector<BucketUse> use;  ///< of the buckets that hold an image
};

/// Pixels that every side of an image must be a multiple of with this base model; 64 where no base
/// is given. Reads headers only.
int base_quantum(const std::filesystem::path& base);

/// By the rules that training itself follows. Every image is decoded, so that a damaged one is
/// found now. No image at all is an answer. Throws what `progress` throws, and Error for a folder
/// that is missing.
DatasetCheck check_dataset(const Preset& preset, const SetFolders& folders, int quantum,
                           const Progress& progress = {});

/// Sorts the same images again, as another preset or base model would.
void sort_into_buckets(DatasetCheck& check, const Preset& preset, int quantum);

}  // namespace mantissa
