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
#include "engine/data/reference_placement.h"
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
  /// Finds the images and sorts them. `quantum`: every side is a multiple of this many pixels;
  /// `references`: how those of the images are sized. `notice` is called during this object's
  /// lifetime. Throws Error for empty or missing folders, and if masks are enabled and no image has
  /// one.
  BucketedImages(const Preset& preset, const SetFolders& folders, int quantum, DataNotice notice,
                 const Progress& progress, const ReferenceRule& references = {});

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

  /// The references of a version of an image, as they are encoded beside it; a pair's negative
  /// image, as the image itself.
  std::vector<ImageVersion> references(const ImageItem& item, const ImageVersion& version) const;
  /// References of each of samples.prompts, none without folders of them; `alone`: as encoded.
  const std::vector<std::vector<ReferenceImage>>& prompts() const { return prompts_; }
  std::vector<ImageVersion> alone(const std::vector<ReferenceImage>& references) const;
  /// The largest number of references of one image or prompt that the model reads.
  std::size_t most_references() const;
  /// A reference as it is encoded, as the text encoder sees it.
  ImageVersion seen(const ImageVersion& version) const {
    return seen_version(reference_rule_, version);
  }

  /// A size, by BatchPlan::bucket.
  const Bucket& bucket(std::size_t index) const { return batch_sizes_[index].image; }
  /// The batch of a micro-step; its items are indices of `dataset`.
  BatchPlan plan(std::int64_t micro_step) const;
  /// Numbers uses of images, not images: see `plan`.
  const Loader& loader() const { return *loader_; }
  /// A line for each size in use and, of several resolutions, for each of them.
  std::string bucket_report() const;
  /// Latent sizes in use with their batch, largest first. `tokens`: of a caption; `factor`: pixels
  /// per latent side.
  std::vector<StepShape> shapes(std::int64_t tokens, int factor) const;
  /// Shapes of the validation images and of training images at their first size, each with batch 1.
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

  /// The sizes that all samples of a batch have in common.
  struct BatchSize {
    Bucket image;
    std::vector<Bucket> references;
    bool operator==(const BatchSize&) const = default;
  };
  /// Sizes of an image's references, at one of the image's sizes.
  std::vector<Bucket> reference_sizes(const ImageItem& item, const Bucket& size) const;
  /// Index of that of a use; a new one comes last.
  std::size_t batch_size_of(const ImageUse& use);
  StepShape shape_of(std::int64_t batch, const BatchSize& size, std::int64_t tokens,
                     int factor) const;

  Preset preset_;
  int quantum_;
  ReferenceRule reference_rule_;
  DataNotice notice_;
  Dataset dataset_;
  std::vector<ImageItem> validation_;
  std::vector<std::vector<ReferenceImage>> prompts_;
  std::optional<BucketTable> table_;
  std::vector<BatchSize> batch_sizes_;  ///< the table's, without references; then those with some
  std::vector<ImageUse> uses_;
  std::optional<Loader> loader_;
};

}  // namespace mantissa
