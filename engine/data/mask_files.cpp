#include "engine/data/mask_files.h"

#include <utility>

#include "engine/core/paths.h"
#include "engine/data/masks.h"
#include "engine/io/composed_name.h"

namespace mantissa {

namespace fs = std::filesystem;

bool MaskFiles::add(const fs::path& file, DatasetReport& report) {
  if (is_condition(file)) {
    report.skipped.push_back(
        {file, SkipKind::no_image,
         message<"OneTrainer's condition of an image, which isn't read here">()});
    return true;
  }
  const auto image = masked_name(file);
  if (!image) {
    return false;
  }
  const auto [at, is_new] = files_.emplace(composed_path(*image), file);
  if (!is_new) {
    fs::path other = file;
    if (is_preferred_mask(other, at->second)) {
      std::swap(other, at->second);
    }
    report.skipped.push_back({other, SkipKind::lone_mask,
                              message<"a second mask of an image: {file} is used">(
                                  path_to_utf8(at->second.filename()))});
  }
  return true;
}

const fs::path* MaskFiles::take(const fs::path& image) {
  const std::string stem = composed_path(image.parent_path() / image.stem());
  const auto mask = files_.find(stem);
  if (mask == files_.end()) {
    return nullptr;
  }
  used_.insert(stem);
  return &mask->second;
}

void MaskFiles::tell(DatasetReport& report) const {
  for (const auto& [stem, path] : files_) {
    if (!used_.contains(stem)) {
      report.skipped.push_back(
          {path, SkipKind::lone_mask, message<"a mask without an image of the same name">()});
    }
  }
}

}  // namespace mantissa
