#pragma once

#include <string>
#include <vector>

#include "engine/core/paths.h"
#include "engine/data/sets.h"
#include "engine/io/image.h"
#include "tests/test_util.h"

namespace mantissa::testing_support {

/// Folders of tiny images, and the data set that is found in them.
class ImageFolders : public testing::Test {
 protected:
  /// Writes root_/name (UTF-8), an image of one shade.
  void add(const std::string& name, std::uint8_t shade) {
    const std::filesystem::path file = root_ / path_from_utf8(name);
    std::filesystem::create_directories(file.parent_path());
    write_png(file, std::vector<std::uint8_t>(32 * 32 * 3, shade), 32, 32);
  }
  Dataset scan(const std::filesystem::path& folder) {
    return gather_sets({{folder}, {}, {}}, preset_, {}).train;
  }

  const ImageLibrary library_;
  const test::TempFolder folder_;
  const std::filesystem::path root_ = folder_.path();
  Preset preset_;
};

}  // namespace mantissa::testing_support
