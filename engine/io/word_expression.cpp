#include "engine/io/word_expression.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/core/ascii.h"
#include "engine/core/error.h"

namespace mantissa {

namespace {

constexpr std::size_t kMostExpressionBytes = 4096;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_punctuation(char c) {
  return c > ' ' && c < 0x7f && !is_digit(c) && !is_lower(c) && !(c >= 'A' && c <= 'Z');
}

/// Reads an expression once from left to right.
class Rewriter {
 public:
  Rewriter(std::string_view text, const std::string& label) : text_(text), label_(label) {}

  std::string run() {
    if (text_.size() > kMostExpressionBytes) {
      throw Error(
          message<"{file}: a regular expression has {bytes} bytes; at most {most} are allowed">(
              label_, text_.size(), kMostExpressionBytes));
    }
    while (at_ < text_.size()) {
      outside_class();
    }
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void copy(std::size_t count) {
    result_ += text_.substr(at_, count);
    at_ += count;
  }
  [[noreturn]] void refuse(std::size_t count) const {
    throw Error(
        message<"{file}: the regular expression '{expression}' has '{found}' at byte {position}, "
                "which is not supported; expected are characters, classes, \\p{L} and the other "
                "general categories, \\s, \\d, \\r, \\n, \\t, groups, (?i:…) with ASCII text, "
                "lookarounds and repetitions">(label_, text_, text_.substr(at_, count), at_));
  }

  void outside_class() {
    switch (peek()) {
      case '\\':
        escape();
        break;
      case '[':
        character_class();
        break;
      case '(':
        open_group();
        break;
      case ')':
        depth_ -= depth_ > 0 ? 1 : 0;  // PCRE2 reports one too many
        caseless_depth_ = depth_ < caseless_depth_ ? 0 : caseless_depth_;
        copy(1);
        break;
      case '{':
        repetition();
        break;
      case '^':  // also the start of a line in Oniguruma
      case '$':
        refuse(1);
      default:
        literal();
    }
  }

  /// Oniguruma matches "ß" by (?i:ss), and so on; PCRE2 compares single characters. These are the
  /// ASCII beginnings of Unicode's foldings to several characters; others aren't ASCII.
  void literal() {
    static constexpr std::array<std::string_view, 5> kFolded{"ss", "st", "ff", "fi", "fl"};
    if (caseless_depth_ > 0) {
      const std::string pair = lower_ascii(text_.substr(at_, 2));
      if (static_cast<unsigned char>(peek()) >= 0x80 ||
          std::find(kFolded.begin(), kFolded.end(), pair) != kFolded.end()) {
        refuse(2);
      }
    }
    copy(1);
  }

  void open_group() {
    static constexpr std::array<std::string_view, 7> kKinds{"(?:",  "(?=",  "(?!", "(?>",
                                                            "(?<=", "(?<!", "(?i:"};
    const std::string_view rest = text_.substr(at_);
    std::size_t size = 1;
    if (peek(1) == '?' || peek(1) == '*') {  // (* begins a verb of PCRE2
      const auto* kind = std::find_if(kKinds.begin(), kKinds.end(),
                                      [&](std::string_view k) { return rest.starts_with(k); });
      if (kind == kKinds.end()) {
        refuse(3);
      }
      size = kind->size();
    }
    ++depth_;
    if (size == 4 && rest[2] == 'i' && caseless_depth_ == 0) {
      caseless_depth_ = depth_;
    }
    copy(size);
  }

  /// {2}, {2,} or {2,3}. What follows one makes it lazy or possessive only in PCRE2.
  void repetition() {
    std::size_t size = 1;
    const auto digits = [&] {
      const std::size_t before = size;
      while (is_digit(peek(size))) {
        ++size;
      }
      return size > before;
    };
    bool sound = digits();
    if (sound && peek(size) == ',') {
      ++size;
      digits();
    }
    sound = sound && peek(size) == '}';
    const char next = peek(size + 1);
    if (!sound || next == '+' || next == '?' || next == '*' || next == '{') {
      refuse(size + 2);
    }
    copy(size + 1);
  }

  void escape() {
    const char c = peek(1);
    if (c == 's' || c == 'S') {
      // PCRE2's \s has U+180E as well, which Unicode took out of White_Space.
      result_ += c == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
      at_ += 2;
    } else if (c == 'p' || c == 'P') {
      property();
    } else if (is_punctuation(c) || std::string_view("dDrntf").find(c) != std::string_view::npos) {
      copy(2);
    } else {
      refuse(2);
    }
  }

  /// A general category: \p{L}, \p{Lu}, \p{^Lu}. Scripts are extended ones in PCRE2; case-blind
  /// categories differ.
  void property() {
    std::size_t size = 3;
    if (peek(2) == '{') {
      size += peek(size) == '^' ? 1 : 0;
      if (peek(size) >= 'A' && peek(size) <= 'Z') {
        size += is_lower(peek(size + 1)) ? 2 : 1;
        if (peek(size) == '}' && caseless_depth_ == 0) {
          copy(size + 1);
          return;
        }
      }
    }
    refuse(size + 1);
  }

  void character_class() {
    if (caseless_depth_ > 0) {
      refuse(1);
    }
    copy(peek(1) == '^' ? 2 : 1);
    if (peek() == ']') {
      refuse(1);
    }
    while (at_ < text_.size() && peek() != ']') {
      if (peek() == '[' || (peek() == '&' && peek(1) == '&')) {
        refuse(2);  // classes inside of classes, and their intersection
      }
      if (peek() == '\\') {
        escape();
      } else {
        copy(1);
      }
    }
    copy(1);
  }

  std::string_view text_;
  const std::string& label_;
  std::string result_;
  std::size_t at_ = 0;
  int depth_ = 0;           // of groups
  int caseless_depth_ = 0;  // that of the outermost (?i: around the place, or 0
};

}  // namespace

std::string pcre2_expression(std::string_view expression, const std::string& label) {
  return Rewriter(expression, label).run();
}

}  // namespace mantissa
