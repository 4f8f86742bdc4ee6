#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/data/dataset.h"

namespace mantissa {

/// The name of a table of captions in a folder of images.
inline constexpr const char* kCaptionTable = "metadata.jsonl";

/// Why a file that is no image isn't used, if it may be a table of captions, by its extension;
/// empty for others.
Message unread_table(const std::filesystem::path& file);

/// The caption files of a scan. A caption belongs to the images beside it whose name without
/// extension is its own, in any of Unicode's forms.
class CaptionFiles {
 public:
  /// Whether `file` is one, by its extension (.txt or .caption, in any case); it is then kept.
  bool add(const std::filesystem::path& file);
  /// Whether a caption file is a .txt.
  static bool is_plain(const std::filesystem::path& file);
  /// The file of an image: .txt before .caption, of several the name closest to its own; null if it
  /// has none.
  const std::filesystem::path* take(const std::filesystem::path& image);
  /// Drops the files of an image that is left out on purpose.
  void forget(const std::filesystem::path& image);
  /// Drops those of an image that can't be used, unless another one took one of them.
  void forget_unused(const std::filesystem::path& image);
  /// How many were taken; those that weren't go to the report.
  void tell(DatasetReport& report) const;

 private:
  struct File {
    std::filesystem::path path;
    bool plain = true;  ///< .txt
    bool used = false;
  };
  std::map<std::string, std::vector<File>> files_;  ///< by folder and composed name
};

}  // namespace mantissa
