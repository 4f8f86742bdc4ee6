#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/core/message.h"
#include "engine/data/image_scan.h"

namespace mantissa {

/// Captions from metadata.jsonl files: one line per image, {"file_name": …, "text": …}.
class CaptionMetadata {
 public:
  /// Reads a file. Problems of the file or a line go to report.skipped, an image's duplicate lines
  /// to its notices: the last one wins. Of several files, the one nearest to the image wins.
  void read(const std::filesystem::path& file, DatasetReport& report);
  /// The text for an image, by its path in normal form; null if no line names it.
  const std::string* take(const std::filesystem::path& image);
  /// Adds notices of unused lines.
  void tell_unused(DatasetReport& report) const;

 private:
  struct Line {
    std::string text;
    std::size_t depth = 0;  ///< depth of its folder: the nearest one wins
    Message place;          ///< "…/metadata.jsonl line 3"
    bool used = false;
  };
  void add(const std::filesystem::path& folder, const nlohmann::json& fields, const Message& place,
           DatasetReport& report);

  std::map<std::filesystem::path, Line> lines_;
};

}  // namespace mantissa
