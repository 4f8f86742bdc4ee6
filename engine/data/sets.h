#pragma once

#include <filesystem>
#include <vector>

#include "engine/data/image_scan.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The folders of a run, by what their images are for.
struct SetFolders {
  std::vector<std::filesystem::path> images;
  std::vector<std::filesystem::path> prior;       ///< for prior preservation
  std::vector<std::filesystem::path> validation;  ///< never trained on
};

struct ImageSets {
  Dataset train;  ///< with the prior-preservation images last; its report tells of all
  std::vector<ImageItem> validation;
};

/// Finds the images of every set. Held out are those of the validation folders and, by
/// data.validation_share, some of the images. An image (by content) is in one set only: what is
/// held out is taken from the others, and a prior image that is also trained on stays with the
/// images; notices tell. Of more prior images than an epoch has samples of the images, the first
/// are used, as sd-scripts does. With training.prior_weight 0 the prior folders aren't looked at.
/// Throws Error as scan_images does, and where holding out leaves nothing to train on.
ImageSets gather_sets(const SetFolders& folders, const Preset& preset, const ScanOptions& options);

/// Whether an image belongs to the share that is held out: its hash, read as a fraction, is below
/// it. So what is held out stays when images are added or removed.
bool held_out_by_content(const ImageItem& item, double share);

/// How often each image is seen in an epoch: data.repeats; prior images together as often as
/// the others, as sd-scripts counts them: in turns, the first ones once more where that doesn't
/// divide.
std::vector<int> item_repeats(const Dataset& data, const Preset& preset);

}  // namespace mantissa
