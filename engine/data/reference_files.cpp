#include "engine/data/reference_files.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

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

void require_references(const fs::path& source) {
  std::error_code none;
  const bool is_there = ReferenceList::is_list(source) ? fs::is_regular_file(source, none)
                                                       : fs::is_directory(source, none);
  if (!is_there) {
    throw Error(
        message<"{path}: no such folder or list of reference images">(path_to_utf8(source)));
  }
}

ReferenceFiles::ReferenceFiles(std::span<const fs::path> sources) {
  for (const fs::path& path : sources) {
    require_references(path);
    if (ReferenceList::is_list(path)) {
      sources_.emplace_back(ReferenceList(path));
    } else {
      sources_.emplace_back(folder_of(path));
    }
  }
}

ReferenceFiles::Folder ReferenceFiles::folder_of(const fs::path& path) {
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
  return folder;
}

bool ReferenceFiles::is_folder(const fs::path& folder) const {
  return std::ranges::any_of(sources_, [&](const Source& source) {
    const auto* own = std::get_if<Folder>(&source);
    std::error_code none;
    return own != nullptr && fs::equivalent(own->path, folder, none);
  });
}

bool ReferenceFiles::is_listed(const fs::path& file) const {
  return std::ranges::any_of(sources_, [&](const Source& source) {
    const auto* list = std::get_if<ReferenceList>(&source);
    std::error_code none;
    return list != nullptr &&
           (list->is_reference(file) ||
            (ReferenceList::is_list(file) && fs::equivalent(list->file(), file, none)));
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

Message ReferenceFiles::give(const Folder& folder, ImageItem& image) {
  const fs::path* file = take(folder, bare_name(image.name));
  if (file == nullptr) {
    return message<"no reference of its name in {folder}">(path_to_utf8(folder.path));
  }
  image.references.emplace_back().path = *file;
  return {};
}

Message ReferenceFiles::give(ReferenceList& list, ImageItem& image) {
  const ReferenceList::Entry* entry = list.take(image.path);
  if (entry == nullptr) {
    return message<"no line of {list} names it">(path_to_utf8(list.file()));
  }
  for (const fs::path& file : entry->references) {
    std::error_code none;
    if (!fs::exists(file, none)) {
      return message<"its reference {file} doesn't exist ({place})">(path_to_utf8(file),
                                                                     list.place(entry->line));
    }
    image.references.emplace_back().path = file;
  }
  return {};
}

Message ReferenceFiles::give(ImageItem& image) {
  for (Source& source : sources_) {
    Message lacks = std::visit([&](auto& each) { return give(each, image); }, source);
    if (!lacks.empty()) {
      image.references.clear();
      return lacks;
    }
  }
  return {};
}

const std::string* ReferenceFiles::text(const fs::path& image) const {
  for (const Source& source : sources_) {
    const auto* list = std::get_if<ReferenceList>(&source);
    const std::string* text = list != nullptr ? list->text(image) : nullptr;
    if (text != nullptr) {
      return text;
    }
  }
  return nullptr;
}

std::vector<fs::path> ReferenceFiles::named(std::string_view name) {
  std::vector<fs::path> files;
  for (const Source& source : sources_) {
    if (const auto* list = std::get_if<ReferenceList>(&source)) {
      std::ranges::move(list->named(name), std::back_inserter(files));
      continue;
    }
    const Folder& folder = std::get<Folder>(source);
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
  for (const Source& source : sources_) {
    if (const auto* list = std::get_if<ReferenceList>(&source)) {
      list->tell(report);
      continue;
    }
    for (const auto& [name, file] : std::get<Folder>(source).files) {
      if (!used_.contains(file)) {
        report.skipped.push_back({file, SkipKind::lone_reference,
                                  message<"a reference without an image of the same name">()});
      }
    }
  }
}

}  // namespace mantissa
