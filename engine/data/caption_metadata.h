#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/core/message.h"
#include "engine/data/image_scan.h"

namespace mantissa {

/// Captions from metadata.jsonl files: a line an image, {"file_name": …, "text": …}.
class CaptionMetadata {
 public:
  /// Reads a file. What is wrong with it, or with a line, is told by report.skipped, a second line
  /// of an image by its notices: the later one holds. Of several files the nearest to the image
  /// does.
  void read(const std::filesystem::path& file, DatasetReport& report);
  /// The text for an image, by its path in normal form; null where no line names it.
  const std::string* take(const std::filesystem::path& image);
  /// Notices of the lines that weren't taken.
  void tell_unused(DatasetReport& report) const;

 private:
  struct Line {
    std::string text;
    std::size_t depth = 0;  ///< parts of the folder that held it: the nearest one wins
    Message place;          ///< "…/metadata.jsonl line 3"
    bool used = false;
  };
  void add(const std::filesystem::path& folder, const nlohmann::json& fields, const Message& place,
           DatasetReport& report);

  std::map<std::filesystem::path, Line> lines_;
};

}  // namespace mantissa
