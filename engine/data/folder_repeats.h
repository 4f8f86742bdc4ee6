#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/dataset.h"

namespace mantissa {

/// What a folder's name says where it is "10_zorb creature", as sd-scripts names folders of images:
/// 10 and "zorb creature"; "10" alone has an empty caption. The number is what Python's int() reads
/// before the first "_"; 0 and less leave the folder's images out. Other names say nothing: no
/// number, and the name. `beyond`: nor does this one, with more than 10,000.
struct FolderName {
  std::optional<int> repeats;
  std::string_view caption;
  bool beyond = false;
};
FolderName folder_name(std::string_view name);

/// Names of the folders around an image, the nearest first, up to the folder that was given.
std::vector<std::string> folders_around(const ImageItem& item);

/// Repeats by the name of the nearest folder around an image with such a name; none without one,
/// less than 1 if that leaves it out.
std::optional<int> named_repeats(const ImageItem& item);

/// The nearest folder around an image that is named "10_zorb"; none without one, nor where the
/// number is hardly meant as repeats: "2024_trip", "0001_cat".
std::optional<std::string> numbered_folder(const ImageItem& item);

/// Sets `repeats` of an image so, and takes the number out of a caption that is its folder's name.
void apply_folder_name(ImageItem& item);

/// Which images sd-scripts would pass over: those in folders whose name begins with 0 and, in a
/// given folder where any name has a number, those in folders without one.
class FolderSelection {
 public:
  /// Counts an image; call it for all of them before any is asked for.
  void add(const ImageItem& item);
  bool leaves_out(const ImageItem& item) const;
  /// Counts an image that is left out.
  void drop(const ImageItem& item);
  /// Notices that name the folders left out, with their numbers of images, and the folders with
  /// more repeats than are offered.
  std::vector<Message> notices() const;

 private:
  std::set<std::filesystem::path> numbered_;  ///< given folders where a name has a number
  std::map<std::string, std::int64_t> dropped_;
  std::set<std::string> beyond_;  ///< names with more than 10,000
};

}  // namespace mantissa
