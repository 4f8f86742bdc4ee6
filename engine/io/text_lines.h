#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace mantissa {

/// The lines of a UTF-8 text file of any length, one after another; a BOM at its start is dropped.
/// Lines end in \n, \r\n or \r.
class TextLines {
 public:
  /// Throws Error naming the file if it can't be read.
  explicit TextLines(const std::filesystem::path& file);

  /// The next line, valid until the next call; false at the end. A line above `most` bytes is cut
  /// there, and `was_cut` says so. Throws Error naming the file if it can't be read.
  bool next(std::string_view& line, std::size_t most);
  /// Number of the line given last, from 1.
  std::size_t number() const { return number_; }
  bool was_cut() const { return cut_; }

 private:
  bool fill();

  std::filesystem::path path_;
  std::ifstream file_;
  std::string block_, line_;
  std::size_t at_ = 0, number_ = 0;
  bool cut_ = false;
  bool after_return_ = false;  ///< the last line ended in \r, to which a \n may belong
};

}  // namespace mantissa
