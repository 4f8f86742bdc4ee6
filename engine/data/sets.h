#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "engine/data/image_scan.h"
#include "engine/data/set_folders.h"
#include "engine/preset/preset.h"

namespace mantissa {

struct ImageSets {
  Dataset train;  ///< with the prior-preservation images last; its report covers all sets
  std::vector<ImageItem> validation;
  /// References of each of samples.prompts; none without folders of references.
  std::vector<std::vector<ReferenceImage>> prompts;
};

/// Finds the images of every set, with the rules of data.folders. The validation set is the images
/// of the validation folders and, by data.validation_share, some of the training images. An image
/// (by content) is in one set only: validation images are removed from the others, and an image in
/// both training and prior sets stays in training; notices report it. If there are more prior
/// images than training samples per epoch, only the first are used, as in sd-scripts. With
/// training.prior_weight 0 the prior folders aren't scanned. Trained and validation images have
/// references, prior images none. Throws Error as scan_images does, if validation leaves nothing to
/// train on and, unless an empty set is allowed, naming a prompt's reference that isn't there.
ImageSets gather_sets(const SetFolders& folders, const Preset& preset, const ScanOptions& options);

/// Whether an image belongs to the validation share: its hash, read as a fraction, is below it. So
/// the choice stays stable when images are added or removed.
bool held_out_by_content(const ImageItem& item, double share);

/// How often each use of an image is seen in an epoch: data.repeats; prior images together as often
/// as the others, as in sd-scripts: in turn, the first ones once more if that doesn't divide
/// evenly. `items`: the image of each use (bucket_table.h), as an image is used at each of its
/// resolutions.
std::vector<int> use_repeats(const Dataset& data, const Preset& preset,
                             std::span<const std::size_t> items);

}  // namespace mantissa
