#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/dataset.h"

namespace mantissa {

/// A list of images and their references, one image per line: {"file_name": …, "references": …,
/// "text": …}. `references` is a path or a list of paths, in the order in which the model reads
/// them; `text`, the caption, may be missing. Paths are absolute or below the list's folder. Names
/// are equal in all of Unicode's forms.
class ReferenceList {
 public:
  /// What a line says of its image.
  struct Entry {
    std::vector<std::filesystem::path> references;
    std::string text;  ///< empty: none
    std::size_t line = 0;
  };

  /// Whether a path names such a list, by its extension.
  static bool is_list(const std::filesystem::path& path);
  /// Reads all of it; lines that can't be used are kept for `tell`. Throws Error naming a file that
  /// can't be read.
  explicit ReferenceList(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return file_; }
  /// The line of an image, which counts as used; null if there is none.
  const Entry* take(const std::filesystem::path& image);
  /// The text of an image's line; null without one.
  const std::string* text(const std::filesystem::path& image) const;
  /// Whether a file is a reference of some line and the image of none.
  bool is_reference(const std::filesystem::path& file) const;
  /// The references of a name below the list's folder, with or without extension.
  std::vector<std::filesystem::path> named(std::string_view name) const;
  /// "pairs.jsonl line 3".
  Message place(std::size_t line) const;
  /// Lines that can't be used, and those whose image isn't among the images.
  void tell(DatasetReport& report) const;

 private:
  void read_line(std::string_view line, std::size_t number);
  void add(const std::string& name, Entry entry);
  std::filesystem::path path_of(const std::string& name) const;

  std::filesystem::path file_, folder_;
  std::map<std::string, Entry> entries_;  ///< by the image's path, in normal form
  std::map<std::string, std::filesystem::path> references_;  ///< likewise
  std::set<std::string> used_;
  std::vector<SkippedFile> bad_;
  std::vector<Message> notices_;
};

}  // namespace mantissa
