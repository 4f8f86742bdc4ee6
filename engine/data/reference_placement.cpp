#include "engine/data/reference_placement.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace {

/// Sides of a reference that is kept whole, as FLUX.3's pipeline bounds them.
constexpr int kLeastSide = 64, kMostSide = 4096;
/// By which it is scaled again while its whole tokens exceed the area.
constexpr double kBackOff = 0.995;

/// The area for one of `count` references.
std::int64_t most_pixels(const ReferenceRule& rule, std::size_t count) {
  return count == 1 && rule.lone_pixels > 0 ? rule.lone_pixels : rule.most_pixels;
}

/// The size to which one of this size is scaled down, at most.
Bucket within(std::int64_t most, int width, int height) {
  const double pixels = static_cast<double>(width) * height;
  if (pixels <= static_cast<double>(most)) {
    return {width, height};
  }
  const double scale = std::sqrt(static_cast<double>(most) / pixels);
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

/// Scaled down until whole tokens around all of it fit into the area, and set into their middle.
Placement whole(const ReferenceRule& rule, const ReferenceImage& reference) {
  const int width = reference.width, height = reference.height;
  const auto tokens = [&](int side) {
    return std::clamp((side + rule.multiple - 1) / rule.multiple * rule.multiple, kLeastSide,
                      kMostSide);
  };
  double scale = std::min(
      {1.0,
       std::sqrt(static_cast<double>(rule.lone_pixels) / (static_cast<double>(width) * height)),
       static_cast<double>(kMostSide) / std::max(width, height)});
  Bucket scaled, size;
  do {
    // To even where it is in the middle, as Python rounds.
    const auto side = [&](int full) {
      return std::max(1, static_cast<int>(std::nearbyint(full * scale)));
    };
    scaled = {side(width), side(height)};
    size = {tokens(scaled.width), tokens(scaled.height)};
    scale *= kBackOff;
  } while (std::int64_t{size.width} * size.height > rule.lone_pixels);
  return {.original_width = width,
          .original_height = height,
          .scaled_width = scaled.width,
          .scaled_height = scaled.height,
          .left = -((size.width - scaled.width) / 2),
          .top = -((size.height - scaled.height) / 2),
          .bucket = size};
}

/// Stretched to the size of the nearest shape, of several the smallest: as FluxKontextPipeline's
/// `min` of (difference, width, height).
Placement stretched(const ReferenceRule& rule, const ReferenceImage& reference) {
  const double shape = static_cast<double>(reference.width) / reference.height;
  const ImageSize& size = *std::ranges::min_element(rule.sizes, {}, [&](const ImageSize& s) {
    return std::tuple(std::abs(shape - static_cast<double>(s.width) / s.height), s.width, s.height);
  });
  return {.original_width = reference.width,
          .original_height = reference.height,
          .scaled_width = size.width,
          .scaled_height = size.height,
          .bucket = cut_to({size.width, size.height}, rule.multiple)};
}

/// A side in whole multiples: to even where it is in the middle, as Python rounds.
int whole_side(double side, int multiple) {
  return std::max(1, static_cast<int>(std::nearbyint(side / multiple))) * multiple;
}

/// Whole multiples near an area, as calculate_dimensions of Qwen-Image's pipelines makes them.
/// `shape`: width by height.
Bucket filled(std::int64_t area, double shape, int multiple) {
  const double width = std::sqrt(static_cast<double>(area) * shape);
  return {whole_side(width, multiple), whole_side(width / shape, multiple)};
}

Placement stretched_to(const Bucket& size, const ReferenceImage& reference) {
  return {.original_width = reference.width,
          .original_height = reference.height,
          .scaled_width = size.width,
          .scaled_height = size.height,
          .bucket = size};
}

/// Stretched to whole tokens of the rule's area.
Placement filling(const ReferenceRule& rule, const ReferenceImage& reference) {
  const double shape = static_cast<double>(reference.width) / reference.height;
  return stretched_to(filled(rule.most_pixels, shape, rule.multiple), reference);
}

/// Of its own area, or of the rule's if that is smaller.
Placement within_nearest(const ReferenceRule& rule, const ReferenceImage& reference) {
  const std::int64_t own = std::int64_t{reference.width} * reference.height;
  return own > rule.most_pixels ? filling(rule, reference)
                                : stretched_to({whole_side(reference.width, rule.multiple),
                                                whole_side(reference.height, rule.multiple)},
                                               reference);
}

/// Scaled down to the rule's area, and cut in the middle.
Placement cut_in_the_middle(const ReferenceRule& rule, const ReferenceImage& reference) {
  const Bucket scaled = within(rule.most_pixels, reference.width, reference.height);
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

Placement sized(const ReferenceRule& rule, const ReferenceImage& reference, std::size_t count) {
  if (!rule.sizes.empty()) {
    return stretched(rule, reference);
  }
  if (rule.fills) {
    return filling(rule, reference);
  }
  if (rule.stretches) {
    return within_nearest(rule, reference);
  }
  if (count == 1 && rule.lone_pixels > 0) {
    return whole(rule, reference);
  }
  return cut_in_the_middle(rule, reference);
}

void require_count(const ReferenceRule& rule, const ReferenceImage& reference, std::size_t count) {
  if (rule.most > 0 && count > rule.most) {
    throw Error(message<"{path} is one of {count} references of one image, and the base model "
                        "reads {most}. Keep one, or put them side by side into one image">(
        path_to_utf8(reference.path), count, rule.most));
  }
}

}  // namespace

bool has_shape_of(const ReferenceImage& reference, const ImageItem& image) {
  return have_one_shape(reference.width, reference.height, image.width, image.height);
}

ReferenceRule rule_beside(ReferenceRule rule, std::int64_t pixels) {
  rule.most_pixels = rule.fills ? std::min(rule.most_pixels, pixels) : rule.most_pixels;
  return rule;
}

Placement place_reference(const ReferenceRule& rule, const ReferenceImage& reference,
                          std::size_t count) {
  require_count(rule, reference, count);
  Placement placed = sized(rule, reference, count);
  placed.pillow = !rule.stretches;
  return placed;
}

ImageVersion seen_version(const ReferenceRule& rule, const ImageVersion& placed) {
  if (rule.seen_pixels == 0) {
    return placed;
  }
  // Of what is cut from the image as it was.
  const Placement& p = placed.placement;
  const auto side = [](int cut, int original, int scaled) {
    return static_cast<double>(cut) * original / scaled;
  };
  const double shape = side(p.bucket.width, p.original_width, p.scaled_width) /
                       side(p.bucket.height, p.original_height, p.scaled_height);
  ImageVersion seen = placed;
  seen.placement = resized(p, filled(rule.seen_pixels, shape, rule.multiple));
  return seen;
}

ShownPart shown_part(const Placement& p) {
  const int left = std::max(0, -p.left), top = std::max(0, -p.top);
  return {left, top, std::min(p.bucket.width - left, p.scaled_width),
          std::min(p.bucket.height - top, p.scaled_height)};
}

ImageVersion reference_version(const ReferenceRule& rule, const ReferenceImage& reference,
                               const ImageItem& image, const ImageVersion& version) {
  const Bucket& own = version.placement.bucket;
  if (!has_shape_of(reference, image)) {
    const ReferenceRule beside = rule_beside(rule, std::int64_t{own.width} * own.height);
    return {place_reference(beside, reference, image.references.size()), version.color};
  }
  require_count(rule, reference, image.references.size());
  const std::int64_t most = most_pixels(rule, image.references.size());
  const Bucket size = cut_to(within(most, own.width, own.height), rule.multiple);
  ImageVersion placed{resized(version.placement, size), version.color};
  placed.placement.original_width = reference.width;
  placed.placement.original_height = reference.height;
  return placed;
}

}  // namespace mantissa
