#include "engine/run/watched_files.h"

#include <algorithm>

#include "engine/io/input_file.h"

namespace mantissa {
namespace {

bool only_touched(const ListedFile& file) {
  try {
    return file_stamp(file.path).differs_in_change_time_only(file.stamp);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void WatchedFiles::forget(std::string_view part) {
  std::erase_if(files_, [&](const ListedFile& file) { return file.ingredient.part == part; });
}

void WatchedFiles::know(const RunIdentity& identity) {
  for (ListedFile& file : files_) {
    const auto known = std::ranges::find_if(identity, [&](const Ingredient& i) {
      return i.part == file.ingredient.part && i.name == file.ingredient.name &&
             i.path == file.ingredient.path;
    });
    if (known != identity.end()) {
      file.ingredient.sha256 = known->sha256;
    }
  }
}

void WatchedFiles::require_unchanged() {
  for (ListedFile& file : files_) {
    const std::string& hash = file.ingredient.sha256;
    if (!hash.empty() || !only_touched(file)) {
      mantissa::require_unchanged(file.path, file.stamp, hash);
    }
  }
}

}  // namespace mantissa
