#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/augmentation.h"
#include "engine/data/dataset.h"
#include "engine/models/references.h"

namespace mantissa {

/// Whether a reference has its image's shape, within 2 %: it then shows the same view.
bool has_shape_of(const ReferenceImage& reference, const ImageItem& image);

/// The rule for images of so many pixels: references that fill an area then fill no larger one.
ReferenceRule rule_beside(ReferenceRule rule, std::int64_t pixels);

/// One of `count` references, as the pipelines take it: scaled down to the rule's area if it is
/// larger, then cut to multiples of a token's side, in the middle. Where the rule keeps a lone one
/// whole, its edges are reflected up to such multiples instead, at least 64 pixels and at most 4096
/// (diffusers' Flux3ImageProcessor). Where the rule has sizes, it is stretched to one of them, and
/// where it is to fill the area, to the multiples that come nearest to that; or, where the rule
/// says so, to those that come nearest to what it is scaled down to. It is scaled to the bytes of
/// diffusers' pipelines, but for that last rule, which is none of theirs. Throws Error naming a
/// reference that is smaller than one token and not kept whole, or of too many.
Placement place_reference(const ReferenceRule& rule, const ReferenceImage& reference,
                          std::size_t count);

/// A placed reference as the text encoder sees it: the same crop, stretched to the rule's area for
/// it; as it is if there is none.
ImageVersion seen_version(const ReferenceRule& rule, const ImageVersion& placed);

/// The part of a placed reference that it fills itself, without reflections, in pixels.
struct ShownPart {
  int left = 0, top = 0, width = 0, height = 0;
};
ShownPart shown_part(const Placement& placement);

/// One of its image's references beside a version of the image: with the same changes of colour
/// and, if it has the image's shape, the same crop at the same size, as far as that is within the
/// rule's area. So each of its tokens shows what the image's token in its place shows.
ImageVersion reference_version(const ReferenceRule& rule, const ReferenceImage& reference,
                               const ImageItem& image, const ImageVersion& version);

}  // namespace mantissa
