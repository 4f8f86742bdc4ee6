#pragma once

#include <filesystem>
#include <vector>

#include "engine/core/progress.h"
#include "engine/data/augmentation.h"
#include "engine/data/bucket_table.h"
#include "engine/data/buckets.h"
#include "engine/data/duplicates.h"
#include "engine/data/image_scan.h"
#include "engine/data/loader.h"
#include "engine/data/reference_placement.h"
#include "engine/data/sets.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// How training would use some folders, determined without training.
struct DatasetCheck {
  Dataset data;                             ///< with the prior-preservation images last
  std::vector<ImageItem> validation;        ///< never trained on
  ReferenceRule references;                 ///< of the base model
  int quantum = 64;                         ///< every side is a multiple of this many pixels
  std::vector<Bucket> buckets;              ///< all buckets in use or not, without those left out
  std::vector<Bucket> left_out;             ///< by data.skip_buckets, of those that the rule makes
  std::vector<std::size_t> bucket_of_item;  ///< of the first resolution
  std::vector<ImageUse> uses;               ///< as image_uses orders them
  std::vector<BucketUse> use;               ///< of the buckets with images
  /// By bucket: the mean share of its scaled images that lies outside their crops, 0 to 1.
  std::vector<double> cut_away;

  /// Whether an image is trained in a bucket, at any of its resolutions.
  bool is_in(std::size_t item, std::size_t bucket) const;
};

/// Every image side must be a multiple of this many pixels with this base model; 64 without a base.
/// Reads headers only.
int base_quantum(const std::filesystem::path& base);

/// How the base model reads references; as FLUX.2 without one. Reads headers only.
ReferenceRule base_references(const std::filesystem::path& base);

/// 0 without images.
std::int64_t batches_per_epoch(const DatasetCheck& check);

/// Scans the folders by the same rules as training; captions without data.folders' prefixes. Every
/// image is decoded, so that damaged ones are found now. No images at all is not an error. Throws
/// what `progress` throws, and Error for a folder that is missing.
DatasetCheck check_dataset(const Preset& preset, const SetFolders& folders, int quantum,
                           const Progress& progress = {});

/// Notes in the check's report which captions, with data.folders' prefixes, the tokenizers of
/// `base` have no room for. Without a base, or with one that can't be opened, none.
void find_cut_captions(DatasetCheck& check, const Preset& preset,
                       const std::filesystem::path& base);

/// Removes an image, for example one that was moved to the trash; sort_into_buckets must follow.
void remove_image(DatasetCheck& check, std::size_t index);

/// The training images of some folders, those for prior preservation last, and which are alike.
struct DatasetDuplicates {
  std::vector<ImageItem> items;
  std::vector<DuplicateGroup> groups;
};
/// Scans the folders as check_dataset does, but decodes only what comparing takes. `progress` is of
/// the comparison.
DatasetDuplicates find_dataset_duplicates(const Preset& preset, const SetFolders& folders,
                                          const Progress& progress = {});

/// Sorts the same images into the buckets of another preset or base model, with its repeats.
void sort_into_buckets(DatasetCheck& check, const Preset& preset, int quantum);

}  // namespace mantissa
