#pragma once

#include <filesystem>
#include <optional>

#include "engine/core/host_tensor.h"
#include "engine/core/message.h"
#include "engine/data/buckets.h"
#include "engine/data/dataset.h"
#include "engine/io/image.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// "sea/boat" for the mask file "sea/boat-masklabel.png": the image's name without its extension.
/// The end of the name may be in any case, and the extension any of an image. Empty for any other
/// file.
std::optional<std::filesystem::path> masked_name(const std::filesystem::path& file);
/// Whether a file's extension is one of an image, in any case.
bool has_image_extension(const std::filesystem::path& file);
/// Whether a file is OneTrainer's condition of an image, "boat-condlabel.png", which isn't read.
bool is_condition(const std::filesystem::path& file);
/// Whether `file` is used of two masks of one image: a PNG before others.
bool is_preferred_mask(const std::filesystem::path& file, const std::filesystem::path& other);
/// Where a mask of an image is written: "sea/boat-masklabel.png" for "sea/boat.jpg".
std::filesystem::path mask_path(const std::filesystem::path& image);
/// Whether no part of the image counts.
bool is_black(const Image& mask);
/// The notice on a mask file without any part that counts; empty for others.
Message mask_notice(const std::filesystem::path& file, const Image& mask);

/// The problem of an image's mask file: its aspect ratio must be the image's within 2 %, at any
/// size. Empty if none. Throws Error if it can't be read.
Message check_mask(const ImageItem& item);

/// The weight of each latent position, [height, width] in [0, 1]: the mask (grey where it is a
/// file, the alpha channel with MaskMode::alpha), scaled, rotated and cropped like the image, then
/// averaged over `factor` x `factor` pixels. Throws Error if it can't be read.
HostTensor load_mask(const ImageItem& item, MaskMode mode, const Placement& placement, int factor);

/// The weights of the loss: max(mask, least), mirrored horizontally if `flipped`.
std::vector<float> mask_weights(const HostTensor& mask, double least, bool flipped);

}  // namespace mantissa
