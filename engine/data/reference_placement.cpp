#include "engine/data/reference_placement.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace {

/// The size to which the rule scales one of this size, at most.
Bucket within(const ReferenceRule& rule, int width, int height) {
  const double pixels = static_cast<double>(width) * height;
  if (pixels <= static_cast<double>(rule.most_pixels)) {
    return {width, height};
  }
  const double scale = std::sqrt(static_cast<double>(rule.most_pixels) / pixels);
  return {static_cast<int>(width * scale), static_cast<int>(height * scale)};
}

Bucket cut_to(const Bucket& size, int multiple) {
  return {size.width / multiple * multiple, size.height / multiple * multiple};
}

/// `value` of `whole`, as a part of `scaled`.
int in_proportion(int value, int scaled, int whole) {
  return static_cast<int>(std::lround(static_cast<double>(value) * scaled / whole));
}

/// The same crop of an image, as another size.
Placement resized(const Placement& p, const Bucket& size) {
  Placement other = p;
  other.bucket = size;
  other.scaled_width =
      std::max(in_proportion(p.scaled_width, size.width, p.bucket.width), size.width);
  other.scaled_height =
      std::max(in_proportion(p.scaled_height, size.height, p.bucket.height), size.height);
  other.left =
      std::min(in_proportion(p.left, size.width, p.bucket.width), other.scaled_width - size.width);
  other.top = std::min(in_proportion(p.top, size.height, p.bucket.height),
                       other.scaled_height - size.height);
  return other;
}

}  // namespace

bool has_shape_of(const ReferenceImage& reference, const ImageItem& image) {
  return have_one_shape(reference.width, reference.height, image.width, image.height);
}

Placement place_reference(const ReferenceRule& rule, const ReferenceImage& reference) {
  const Bucket scaled = within(rule, reference.width, reference.height);
  const Bucket size = cut_to(scaled, rule.multiple);
  if (size.width == 0 || size.height == 0) {
    throw Error(
        message<"{path}: a reference of {width}x{height} pixels is smaller than the {least} "
                "that each side needs">(path_to_utf8(reference.path), reference.width,
                                        reference.height, rule.multiple));
  }
  return {.original_width = reference.width,
          .original_height = reference.height,
          .scaled_width = scaled.width,
          .scaled_height = scaled.height,
          .left = (scaled.width - size.width) / 2,
          .top = (scaled.height - size.height) / 2,
          .bucket = size};
}

ImageVersion reference_version(const ReferenceRule& rule, const ReferenceImage& reference,
                               const ImageItem& image, const ImageVersion& version) {
  if (!has_shape_of(reference, image)) {
    return {place_reference(rule, reference), version.color};
  }
  const Bucket& own = version.placement.bucket;
  const Bucket size = cut_to(within(rule, own.width, own.height), rule.multiple);
  ImageVersion placed{resized(version.placement, size), version.color};
  placed.placement.original_width = reference.width;
  placed.placement.original_height = reference.height;
  return placed;
}

}  // namespace mantissa
