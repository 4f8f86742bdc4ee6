#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/log_level.h"
#include "engine/core/progress.h"
#include "engine/data/augmentation.h"
#include "engine/data/bucket_table.h"
#include "engine/data/buckets.h"
#include "engine/data/image_scan.h"
#include "engine/data/loader.h"
#include "engine/data/sets.h"
#include "engine/preset/preset.h"
#include "engine/programs/step_inputs.h"

namespace mantissa {

/// Levels as of RunObserver::on_log: 0 debug, 1 info, 2 warning, 3 error.
using DataNotice = std::function<void(LogLevel level, const Message&)>;

/// An image that turned out to be unusable.
struct RejectedImage {
  std::size_t index = 0;  ///< as numbered by BucketedImages::item
  SkipKind kind = SkipKind::damaged;
  Message reason;
};

/// The images of a run, each with its bucket, and the order of their batches.
class BucketedImages {
 public:
  /// Finds the images and sorts them. `quantum`: every side is a multiple of this many pixels.
  /// `notice` is called during this object's lifetime. Throws Error for empty or missing folders,
  /// and if masks are enabled and no image has one.
  BucketedImages(const Preset& preset, const SetFolders& folders, int quantum, DataNotice notice,
                 const Progress& progress);

  /// These images under another preset that would find the same ones (masks, validation and
  /// prior preservation as they are): nothing is scanned or reported again.
  BucketedImages with_preset(const Preset& preset) const;

  const Preset& preset() const { return preset_; }
  int quantum() const { return quantum_; }
  /// Training images, those for prior preservation last.
  const Dataset& dataset() const { return dataset_; }
  const std::vector<ImageItem>& validation() const { return validation_; }
  /// Training images, then validation images: the numbering of `item`.
  std::size_t count() const { return dataset_.items.size() + validation_.size(); }
  const ImageItem& item(std::size_t index) const;
  bool trained(std::size_t index) const { return index < dataset_.items.size(); }
  bool has_mask(const ImageItem& item) const;
  /// An image as it is, at its first resolution: for validation.
  Placement placement(const ImageItem& item) const;
  /// The sizes that a training image is trained at, one for each of its resolutions.
  std::vector<Bucket> sizes(const ImageItem& item) const;
  /// The resolutions that images are trained at.
  const BucketTable& table() const { return *table_; }
  /// Version `variant` of a training image at one of its sizes, from 0 to variant_count of the
  /// settings.
  ImageVersion version(const ImageItem& item, const Bucket& size, int variant) const;

  /// A size, by BatchPlan::bucket.
  const Bucket& bucket(std::size_t index) const { return table_->all()[index]; }
  /// The batch of a micro-step; its items are indices of `dataset`.
  BatchPlan plan(std::int64_t micro_step) const;
  /// Numbers uses of images, not images: see `plan`.
  const Loader& loader() const { return *loader_; }
  /// A line for each size in use and, of several resolutions, for each of them.
  std::string bucket_report() const;
  /// Latent sizes in use with their batch, largest first. `tokens`: of a caption; `factor`: pixels
  /// per latent side.
  std::vector<StepShape> shapes(std::int64_t tokens, int factor) const;
  /// Those of the validation images and of training images at their first size, each with batch 1.
  std::vector<StepShape> single_shapes(const std::vector<std::size_t>& trained, std::int64_t tokens,
                                       int factor) const;

  /// Captions and prompts that a text encoder cuts, found when the model is known.
  void note(DataFinding finding) { add_findings(dataset_.report.findings, {std::move(finding)}); }

  /// Removes unusable images and reports why; indices ascending. Throws Error if no training image
  /// is left.
  void reject(const std::vector<RejectedImage>& rejected);

 private:
  void require_masks() const;
  /// Images of which the bucket cuts away much.
  void find_cuts();
  void sort();

  Preset preset_;
  int quantum_;
  DataNotice notice_;
  Dataset dataset_;
  std::vector<ImageItem> validation_;
  std::optional<BucketTable> table_;
  std::vector<ImageUse> uses_;
  std::optional<Loader> loader_;
};

}  // namespace mantissa
