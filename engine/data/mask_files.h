#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "engine/data/dataset.h"

namespace mantissa {

/// The masks of a scan, and other files beside images that are no images themselves. A mask belongs
/// to the images beside it with its name (masks.h), in any of Unicode's forms.
class MaskFiles {
 public:
  /// Whether `file` is one, by its name; a mask is then kept. Those that aren't used go to the
  /// report.
  bool add(const std::filesystem::path& file, DatasetReport& report);
  /// The mask of an image; null if it has none.
  const std::filesystem::path* take(const std::filesystem::path& image);
  /// Reports the masks that no image took.
  void tell(DatasetReport& report) const;

 private:
  std::map<std::string, std::filesystem::path> files_;  ///< by the image's composed name
  std::set<std::string> used_;
};

}  // namespace mantissa
