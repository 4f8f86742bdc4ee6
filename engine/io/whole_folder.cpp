#include "engine/io/whole_folder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

/// Makes a folder in `parent` that no other writer uses.
fs::path fresh_folder(const fs::path& parent) {
  make_folders(parent);
  for (int attempt = 0;; ++attempt) {
    fs::path folder = parent / (".tmp-model-" + std::to_string(attempt));
    std::error_code error;
    if (fs::create_directory(folder, error)) {
      return folder;
    }
    if (error || attempt == 9999) {
      make_folders(folder);  // throws with the reason
      return folder;
    }
  }
}

}  // namespace

WholeFolder::WholeFolder(const fs::path& target) : target_(target) {
  if (!target_.has_filename()) {
    target_ = target_.parent_path();  // written with a slash at its end
  }
  std::error_code none;
  is_new_ = !fs::exists(target_, none);
  // Beside an existing folder may be another drive, on which nothing could be renamed into it.
  making_ = fresh_folder(!is_new_                    ? target_
                         : target_.has_parent_path() ? target_.parent_path()
                                                     : fs::path("."));
}

WholeFolder::~WholeFolder() {
  std::error_code ignored;
  fs::remove_all(making_, ignored);
}

void WholeFolder::commit() {
  if (is_new_) {
    sync_folder(making_);  // in which there may be folders alone
    rename_durably(making_, target_);
    return;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(making_)) {
    if (!entry.is_directory()) {
      files.push_back(entry.path().lexically_relative(making_));
    }
  }
  // Those that say what the folder holds (model_index.json) come last.
  std::stable_partition(files.begin(), files.end(),
                        [](const fs::path& file) { return file.has_parent_path(); });
  for (const fs::path& file : files) {
    make_folders((target_ / file).parent_path());
    rename_durably(making_ / file, target_ / file);
  }
}

}  // namespace mantissa
