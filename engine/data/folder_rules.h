#pragma once

#include <set>
#include <vector>

#include "engine/data/image_scan.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// Applies data.folders: each image takes repeats, loss weight, resolution and caption prefix from
/// the rule of the nearest folder around it that has one, up to the folder that was given. The
/// rules that were used.
std::set<const FolderRule*> apply_folder_rules(std::vector<ImageItem>& items,
                                               const std::vector<FolderRule>& rules);

/// Repeats, weights and resolutions as a scan with these settings would find them; captions stay.
void count_folders_again(std::vector<ImageItem>& items, const Preset::Data& data);

}  // namespace mantissa
