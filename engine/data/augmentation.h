#pragma once

#include <string>

#include "engine/data/buckets.h"
#include "engine/data/dataset.h"
#include "engine/io/color_change.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// What distinguishes a version of an image from the image itself.
struct Augmentation {
  Framing framing;
  ColorChange color;
};

/// An image as it is encoded, apart from mirroring.
struct ImageVersion {
  Placement placement;
  ColorChange color{};
};

/// The versions that are made of each training image: data.variants, or one where they would all be
/// the same.
int variant_count(const Preset::Data& data);

/// Version `variant`, from 0, of an image: a pure function of training.seed, the image's content
/// and the number. Amounts are drawn evenly from their range, in steps of a ten-thousandth (angles:
/// of a hundredth of a degree); each has numbers of its own, so that changing one amount leaves the
/// others' draws.
Augmentation draw_augmentation(const Preset& preset, const std::string& content_hash, int variant);

/// A version of an image, placed in a bucket.
ImageVersion image_version(const Preset& preset, const Bucket& bucket, const ImageItem& item,
                           int variant);

}  // namespace mantissa
