#include "engine/io/whole_folder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/core/disk_full.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
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
  if (!kept_) {
    std::error_code ignored;
    fs::remove_all(making_, ignored);
  }
}

void WholeFolder::commit() {
  try {
    if (is_new_) {
      sync_folder(making_);  // in which there may be folders alone
      rename_durably(making_, target_);
    } else {
      take_places();
    }
  } catch (const DiskFull&) {
    throw;
  } catch (const Error& e) {  // another program uses it: the work is not lost
    kept_ = true;
    const std::string making = path_to_utf8(making_), target = path_to_utf8(target_);
    throw Error(is_new_ ? message<"{reason}. All files are in {folder}: close what uses them, and "
                                  "rename it to {target}">(e.message(), making, target)
                        : message<"{reason}. The new files that {target} lacks are in {folder}: "
                                  "close what uses the old ones, and move them there">(
                              e.message(), target, making));
  }
}

void WholeFolder::take_places() {
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
    take_place(file);
  }
}

void WholeFolder::take_place(const fs::path& file) {
  const fs::path made = making_ / file, place = target_ / file;
  try {
    return rename_durably(made, place);
  } catch (const DiskFull&) {
    throw;
  } catch (const Error&) {
    std::error_code none;
    if (!fs::is_regular_file(place, none)) {
      throw;
    }
  }
  fs::path aside = made;
  aside += ".old";
  rename_durably(place, aside);
  rename_durably(made, place);
}

}  // namespace mantissa
