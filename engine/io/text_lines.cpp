#include "engine/io/text_lines.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"

namespace mantissa {

namespace {

constexpr std::size_t kBlock = 1u << 20;

[[noreturn]] void unreadable(const std::filesystem::path& file, int code) {
  throw Error(message<"can't read {file}: {reason}">(
      "'" + path_to_utf8(file) + "'",
      system_message(std::error_code(code, std::generic_category()))));
}

}  // namespace

TextLines::TextLines(const std::filesystem::path& file)
    : path_(file), file_(file, std::ios::binary) {
  if (!file_) {
    unreadable(path_, errno);
  }
  fill();
  if (block_.starts_with("\xEF\xBB\xBF")) {
    at_ = 3;
  }
}

/// The next block; false at the end.
bool TextLines::fill() {
  block_.resize(kBlock);
  file_.read(block_.data(), static_cast<std::streamsize>(kBlock));
  block_.resize(static_cast<std::size_t>(file_.gcount()));
  at_ = 0;
  if (file_.bad()) {
    unreadable(path_, errno);
  }
  return !block_.empty();
}

bool TextLines::next(std::string_view& line, std::size_t most) {
  line_.clear();
  cut_ = false;
  bool begun = false;
  for (;;) {
    if (at_ == block_.size() && !fill()) {
      break;
    }
    if (after_return_) {
      after_return_ = false;
      if (block_[at_] == '\n') {
        ++at_;
        continue;
      }
    }
    begun = true;
    const std::string_view rest = std::string_view(block_).substr(at_);
    std::string_view piece = rest.substr(0, rest.find('\n'));
    piece = piece.substr(0, piece.find('\r'));
    const std::size_t end = at_ + piece.size();
    const std::size_t room = most - std::min(most, line_.size());
    cut_ = cut_ || piece.size() > room;
    if (end < block_.size() && line_.empty()) {  // whole in this block: no copy
      after_return_ = block_[end] == '\r';
      at_ = end + 1;
      ++number_;
      line = piece.substr(0, most);
      return true;
    }
    line_ += piece.substr(0, room);
    at_ = end;
    if (end < block_.size()) {
      after_return_ = block_[end] == '\r';
      ++at_;
      break;
    }
  }
  if (!begun) {
    return false;
  }
  ++number_;
  line = line_;
  return true;
}

}  // namespace mantissa
