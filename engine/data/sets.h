#pragma once

#include <filesystem>
#include <vector>

#include "engine/data/image_scan.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The folders of a run, by what their pictures are for.
struct SetFolders {
  std::vector<std::filesystem::path> images;
  std::vector<std::filesystem::path> prior;       ///< for prior preservation
  std::vector<std::filesystem::path> validation;  ///< never trained on
};

struct PictureSets {
  Dataset train;  ///< with the prior-preservation pictures last; its report tells of all
  std::vector<ImageItem> validation;
};

/// Finds the pictures of every set. Held out are those of the validation folders and, by
/// data.validation_share, some of the images. A picture (by content) is in one set only: what is
/// held out is taken from the others, and a prior picture that is also trained on stays with the
/// images; notices tell. Of more prior pictures than an epoch has samples of the images, the first
/// are used, as sd-scripts does. With training.prior_weight 0 the prior folders aren't looked at.
/// Throws Error as scan_images does, and where holding out leaves nothing to train on.
PictureSets gather_sets(const SetFolders& folders, const Preset& preset,
                        const ScanOptions& options);

/// Whether a picture belongs to the share that is held out: its hash, read as a fraction, is below
/// it. So what is held out stays when pictures are added or removed.
bool held_out_by_content(const ImageItem& item, double share);

/// How often each picture is seen in an epoch: data.repeats; prior pictures together as often as
/// the others, as sd-scripts counts them: in turns, the first ones once more where that doesn't
/// divide.
std::vector<int> item_repeats(const Dataset& data, const Preset& preset);

}  // namespace mantissa
