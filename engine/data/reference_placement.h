#pragma once

#include <vector>

#include "engine/data/augmentation.h"
#include "engine/data/dataset.h"
#include "engine/models/references.h"

namespace mantissa {

/// Whether a reference has its image's shape, within 2 %: it then shows the same view.
bool has_shape_of(const ReferenceImage& reference, const ImageItem& image);

/// A reference alone, as the pipelines take it: scaled down to the rule's area if it is larger,
/// then cut to multiples of a token's side, in the middle. Throws Error naming a reference that is
/// smaller than one token.
Placement place_reference(const ReferenceRule& rule, const ReferenceImage& reference);

/// A reference beside a version of its image: with the same changes of colour and, if it has the
/// image's shape, the same crop at the same size, as far as that is within the rule's area. So each
/// of its tokens shows what the image's token in its place shows.
ImageVersion reference_version(const ReferenceRule& rule, const ReferenceImage& reference,
                               const ImageItem& image, const ImageVersion& version);

}  // namespace mantissa
