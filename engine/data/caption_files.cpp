#include "engine/data/caption_files.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include "engine/core/ascii.h"
#include "engine/core/paths.h"
#include "engine/io/composed_name.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

std::string lower_extension(const fs::path& file) {
  return lower_ascii(path_to_utf8(file.extension()));
}

std::string key_of(const fs::path& file) {
  return composed_path(file.parent_path() / file.stem());
}

}  // namespace

Message unread_table(const fs::path& file) {
  constexpr std::string_view kTables[] = {".csv", ".tsv", ".json", ".jsonl", ".parquet", ".arrow"};
  const std::string extension = lower_extension(file);
  return std::ranges::find(kTables, extension) == std::end(kTables)
             ? Message{}
             : message<
                   "captions aren't read from {extension} files such as this one: write them "
                   "as <name>.txt or <name>.caption beside each image, or as metadata.jsonl">(
                   extension);
}

bool CaptionFiles::add(const fs::path& file) {
  if (!is_plain(file) && lower_extension(file) != ".caption") {
    return false;
  }
  files_[key_of(file)].push_back({file, is_plain(file)});
  return true;
}

bool CaptionFiles::is_plain(const fs::path& file) {
  return lower_extension(file) == ".txt";
}

const fs::path* CaptionFiles::take(const fs::path& image) {
  const auto found = files_.find(key_of(image));
  if (found == files_.end()) {
    return nullptr;
  }
  const auto rank = [&](const File& file) {
    return std::tuple(!file.plain, file.path.stem() != image.stem());
  };
  File& best = *std::ranges::min_element(found->second, {}, rank);
  best.used = true;
  return &best.path;
}

void CaptionFiles::forget(const fs::path& image) {
  files_.erase(key_of(image));
}

void CaptionFiles::forget_unused(const fs::path& image) {
  const auto found = files_.find(key_of(image));
  if (found != files_.end() && std::ranges::none_of(found->second, &File::used)) {
    files_.erase(found);
  }
}

void CaptionFiles::tell(DatasetReport& report) const {
  for (const auto& [key, files] : files_) {
    const auto taken = std::ranges::find(files, true, &File::used);
    for (const File& file : files) {
      if (file.used) {
        ++report.captions;
      } else if (taken == files.end()) {
        report.skipped.push_back({file.path, SkipKind::lone_caption,
                                  message<"a caption without an image of the same name">()});
      } else {
        finding_of(report.findings, DataFindingKind::unused_caption)
            .files.push_back(
                {file.path, message<"{file} is used">(path_to_utf8(taken->path.filename()))});
      }
    }
  }
}

}  // namespace mantissa
