#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/data/buckets.h"

namespace mantissa {

struct LoaderOptions {
  int batch_size = 1;
  int repeats = 1;
  double caption_dropout = 0;  ///< probability of emptying a sample's caption
  bool flip = false;           ///< mirror each sample with probability ½
  int variants = 1;            ///< versions of each image (augmentation.h)
  std::uint64_t seed = 0;
};

/// Options of a training preset.
LoaderOptions loader_options(const Preset& preset);

/// The batch of one micro-step: always batch_size samples of one bucket.
struct BatchPlan {
  std::int64_t epoch = 0;
  std::int64_t index = 0;  ///< batch within the epoch
  std::size_t bucket = 0;  ///< index into the bucket list
  std::vector<std::size_t> items;
  std::vector<int> variant;  ///< the version of each item, from 0
  std::vector<bool> flip, drop_caption;
};

/// How a bucket is used in one epoch.
struct BucketUse {
  std::size_t bucket = 0;
  std::int64_t images = 0;  ///< distinct images seen
  std::int64_t batches = 0;
  std::int64_t fillers = 0;  ///< samples repeated to fill the last batch
};

/// Order of the training data. Batches never mix buckets; a short last batch is filled with other
/// images of its bucket (from the start of that epoch's order), so that the shape stays the same
/// and no image is lost; `report` says how often. With N versions of each image, every N uses of an
/// image (an epoch has as many as its repeats) go through all of them, in an order that differs by
/// image and round. Everything is a pure function of the options, the bucket of each item and the
/// micro-step, so resuming needs only the step number.
class Loader {
 public:
  /// bucket_of_item[i] is the bucket index of item i, repeats[i] how often it is seen in an epoch;
  /// default: options.repeats for each. Throws Error on no items or bad options.
  Loader(std::span<const std::size_t> bucket_of_item, const LoaderOptions& options,
         std::span<const int> repeats = {});

  std::int64_t batches_per_epoch() const { return batches_per_epoch_; }
  /// The batch of a micro-step (an optimizer step has `gradient_accumulation` of them), from 0.
  BatchPlan plan(std::int64_t micro_step) const;
  std::span<const BucketUse> use() const { return use_; }
  /// "832x1216: 7 images, 2 batches, 1 repeated to fill the last", one line per bucket.
  std::string report(std::span<const Bucket> buckets) const;

 private:
  struct Batch {
    std::size_t bucket;
    std::vector<std::size_t> items;
    std::vector<int> uses;  ///< of each item: how often it was used before in this epoch
  };
  int variant_of(std::size_t item, std::int64_t epoch, int use) const;
  std::vector<Batch> epoch_order(std::int64_t epoch) const;

  LoaderOptions options_;
  std::vector<int> repeats_;  ///< of each item
  std::vector<BucketUse> use_;
  std::vector<std::vector<std::size_t>> items_;  ///< by used bucket, as in use_
  std::int64_t batches_per_epoch_ = 0;
  mutable std::int64_t cached_epoch_ = -1;  ///< one thread only: the engine's
  mutable std::vector<Batch> cached_;
};

}  // namespace mantissa
