#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/data/dataset.h"

namespace mantissa {

/// Captions from metadata.jsonl files: one line per image, {"file_name": …, "text": …}. The files
/// are read line by line once all images are known, and only the texts of these are kept.
class CaptionMetadata {
 public:
  /// A file, to be read later.
  void add_file(const std::filesystem::path& file) { files_.push_back(file); }
  /// An image that lines may name, by its path in normal form. Names are equal in all of Unicode's
  /// forms.
  void add_image(const std::filesystem::path& image);
  /// Reads all files. Problems of a file or a line go to report.skipped, an image's duplicate lines
  /// (the last one wins) and lines that name no image to its notices, the first few of each file
  /// one by one. Of several files, the one nearest to the image wins.
  void read(DatasetReport& report);
  /// The text for an image that was added; null if no line names it.
  const std::string* text(const std::filesystem::path& image) const;

 private:
  struct Line {
    std::string text;
    std::size_t depth = 0;  ///< depth of its folder: the nearest one wins
    bool exact = false;     ///< names the image by its own bytes
  };
  struct Image {
    std::string path;  ///< UTF-8, '/' between parts
    std::optional<Line> line;
  };
  class Reading;

  std::vector<std::filesystem::path> files_;
  std::vector<Image> images_;
  std::unordered_multimap<std::string, std::size_t> by_name_;  ///< composed
  std::map<std::filesystem::path, std::size_t> by_path_;
};

}  // namespace mantissa
