#pragma once
// Which training images a run measures one by one.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// Indices of the images whose own losses are measured before the first and after the last of
/// `steps`, ascending: as many as training.image_loss_share allows, evenly, without those for prior
/// preservation. None if the VAE is trained.
std::vector<std::size_t> measured_images(const Preset& preset, const std::vector<ImageItem>& items,
                                         std::int64_t steps);

/// Other captions to compare an image's own with: at most this many,
inline constexpr std::size_t kOtherCaptions = 4;
/// evenly among all that differ from it. Indices of images that have them.
std::vector<std::size_t> other_captions(const std::vector<ImageItem>& items, std::size_t image);

}  // namespace mantissa
