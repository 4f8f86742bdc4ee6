#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/data/dataset.h"

namespace mantissa {

/// What a folder's name says where it is "10_zorb creature", as sd-scripts names folders of images:
/// 10 and "zorb creature". Other names, also those beginning with 0, say nothing: 1 and the name.
struct FolderName {
  int repeats = 1;
  std::string_view caption;
};
FolderName folder_name(std::string_view name);

/// Names of the folders around an image, the nearest first, up to the folder that was given.
std::vector<std::string> folders_around(const ImageItem& item);

/// Repeats by the name of the nearest folder around an image with such a name; 1 without one.
int named_repeats(const ImageItem& item);

/// Sets `repeats` of an image so, and takes the number out of a caption that is its folder's name.
void apply_folder_name(ImageItem& item);

}  // namespace mantissa
