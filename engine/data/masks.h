#pragma once

#include <filesystem>
#include <optional>

#include "engine/core/host_tensor.h"
#include "engine/core/message.h"
#include "engine/data/buckets.h"
#include "engine/data/image_scan.h"
#include "engine/io/image.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// "sea/boat" for the mask file "sea/boat-masklabel.png": what the image is called without its
/// extension. Empty for any other file.
std::optional<std::filesystem::path> masked_name(const std::filesystem::path& file);

/// What is wrong with the mask file of an image: it must have the image's shape within 2 %, of
/// any size. Empty when nothing is. Throws Error where it can't be read.
Message check_mask(const ImageItem& item);

/// How much each latent position counts, [height, width] in [0, 1]: the mask (grey where it is a
/// file, the alpha channel with MaskMode::alpha), placed as the image, then the mean over
/// `factor` x `factor` pixels. Throws Error where it can't be read.
HostTensor load_mask(const ImageItem& item, MaskMode mode, const Placement& placement, int factor);

/// The weights of the loss: max(mask, least), mirrored left to right where `flipped`.
std::vector<float> mask_weights(const HostTensor& mask, double least, bool flipped);

}  // namespace mantissa
