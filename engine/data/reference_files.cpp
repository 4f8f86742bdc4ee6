#include "engine/data/reference_files.h"

#include <algorithm>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/masks.h"
#include "engine/io/composed_name.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/input_file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// "sea/boat" for "sea/boat.png", in normal form.
std::string bare_name(std::string_view name) {
  const std::size_t slash = name.find_last_of('/');
  const std::size_t dot = name.find_last_of('.');
  const bool has_extension = dot != std::string_view::npos && dot > 0 &&
                             (slash == std::string_view::npos || dot > slash + 1);
  return composed(has_extension ? name.substr(0, dot) : name);
}

/// Image files of a folder and those below it, without hidden ones, by their paths.
std::vector<fs::path> images_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const bool hidden = path_to_utf8(it->path().filename()).starts_with('.');
    std::error_code none;
    if (it->is_directory(none)) {
      if (hidden) {
        it.disable_recursion_pending();
      }
    } else if (!hidden && has_image_extension(it->path())) {
      files.push_back(it->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

ReferenceImage read_reference(const fs::path& file) {
  ReferenceImage reference;
  reference.path = file;
  reference.stamp = file_stamp(file);
  const ImageInfo info = probe_image(file);
  reference.width = info.width;
  reference.height = info.height;
  reference.content_hash = sha256_file(file);
  reference.require_unchanged();
  return reference;
}

ReferenceFiles::ReferenceFiles(std::span<const fs::path> folders) {
  for (const fs::path& path : folders) {
    std::error_code none;
    if (!fs::is_directory(path, none)) {
      throw Error(message<"{path}: no such folder of reference images">(path_to_utf8(path)));
    }
    Folder folder{path, {}};
    for (const fs::path& file : images_in(path)) {
      const std::u8string name = file.lexically_relative(path).generic_u8string();
      const auto [at, is_new] =
          folder.files.emplace(bare_name(std::string(name.begin(), name.end())), file);
      if (!is_new) {
        seconds_.push_back({file, SkipKind::lone_reference,
                            message<"a second reference of one name: {file} is used">(
                                path_to_utf8(at->second.filename()))});
      }
    }
    folders_.push_back(std::move(folder));
  }
}

bool ReferenceFiles::is_folder(const fs::path& folder) const {
  return std::ranges::any_of(folders_, [&](const Folder& own) {
    std::error_code none;
    return fs::equivalent(own.path, folder, none);
  });
}

const fs::path* ReferenceFiles::take(const Folder& folder, const std::string& name) {
  const auto found = folder.files.find(name);
  if (found == folder.files.end()) {
    return nullptr;
  }
  used_.insert(found->second);
  return &found->second;
}

Message ReferenceFiles::give(ImageItem& image) {
  const std::string name = bare_name(image.name);
  for (const Folder& folder : folders_) {
    if (!folder.files.contains(name)) {
      image.references.clear();
      return message<"no reference of its name in {folder}">(path_to_utf8(folder.path));
    }
    ReferenceImage reference;
    reference.path = *take(folder, name);
    image.references.push_back(std::move(reference));
  }
  return {};
}

std::vector<fs::path> ReferenceFiles::named(std::string_view name) {
  std::vector<fs::path> files;
  for (const Folder& folder : folders_) {
    const fs::path* file = take(folder, composed(name));
    file = file != nullptr ? file : take(folder, bare_name(name));
    if (file != nullptr) {
      files.push_back(*file);
    }
  }
  return files;
}

void ReferenceFiles::tell(DatasetReport& report) const {
  report.skipped.insert(report.skipped.end(), seconds_.begin(), seconds_.end());
  for (const Folder& folder : folders_) {
    for (const auto& [name, file] : folder.files) {
      if (!used_.contains(file)) {
        report.skipped.push_back({file, SkipKind::lone_reference,
                                  message<"a reference without an image of the same name">()});
      }
    }
  }
}

}  // namespace mantissa
