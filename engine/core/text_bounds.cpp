#include "engine/core/text_bounds.h"

#include <algorithm>

namespace mantissa {
namespace {

/// Measures a text from its first character to its last.
class Measure {
 public:
  Measure(std::string_view text, TextForm form, const TextBounds& bounds)
      : text_(text), form_(form), bounds_(bounds) {}

  std::optional<BrokenBound> run() {
    if (text_.size() > bounds_.bytes) {
      return BrokenBound{1, message<"this has {bytes} bytes; at most {most} are read">(
                                text_.size(), bounds_.bytes)};
    }
    while (at_ < text_.size() && !broken_) {
      step();
    }
    return broken_;
  }

 private:
  char here() const { return text_[at_]; }
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }

  void step() {
    const char c = here();
    if (c == '\n') {
      end_line();
    } else if ((c == '"' || (c == '\'' && form_ != TextForm::json)) && opens_text()) {
      skip_text();
      plain_ = false;
      return;
    } else if (c == '#' && form_ != TextForm::json && !plain_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    } else if (form_ == TextForm::yaml) {
      yaml(c);
    } else {
      structure(c);
    }
    ++at_;
  }

  void end_line() {
    ++line_;
    plain_ = false;
    dots_ = 0;
    if (form_ == TextForm::yaml) {
      depth_ = dashes_ = 0;
    }
  }

  /// Counts a character of JSON and TOML outside strings.
  void structure(char c) {
    if (c == '[' || c == '{') {
      deepen(++depth_);
    } else if (c == ']' || c == '}') {
      depth_ = std::max(depth_ - 1, 0);
    } else if (c == ',') {
      count(++commas_);
    } else if (c == '=' && form_ == TextForm::toml) {
      count(++equals_);
    } else if (c == '.' && form_ == TextForm::toml) {
      deepen(++dots_);
      return;
    } else {
      return;
    }
    dots_ = 0;
  }

  /// Brackets nest inside brackets and where a value begins; dashes at a line's beginning do too.
  void yaml(char c) {
    if ((c == '[' || c == '{') && (depth_ > 0 || !plain_)) {
      deepen(++depth_);
    } else if ((c == ']' || c == '}') && depth_ > 0) {
      --depth_;
    } else if ((c == '-' || c == '?') && !plain_ && starts_item()) {
      deepen(++dashes_);
    } else if (c == ':' || c == ',') {
      plain_ = false;
    } else if (c != ' ' && c != '\t') {
      plain_ = true;
    }
  }
  bool starts_item() const {
    return at_ + 1 == text_.size() || text_[at_ + 1] == ' ' || text_[at_ + 1] == '\n';
  }

  /// In YAML, quotes within plain text are part of it.
  bool opens_text() const { return form_ != TextForm::yaml || !plain_; }

  void skip_text() {
    const char quote = here();
    const bool escapes = quote == '"';
    const bool lines = form_ == TextForm::toml && (starts(R"(""")") || starts("'''"));
    at_ += lines ? 3 : 1;
    while (at_ < text_.size()) {
      if (here() == '\n') {
        ++line_;
        if (form_ == TextForm::toml && !lines) {
          ++at_;
          dots_ = 0;
          return;  // not closed: an error there, too
        }
      }
      if (here() == '\\' && escapes) {
        line_ += at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 1 : 0;
        at_ += 2;
      } else if (here() != quote) {
        ++at_;
      } else if (!lines) {
        ++at_;
        return;
      } else if (starts(std::string_view(quote == '"' ? R"(""")" : "'''"))) {
        at_ += 3;
        for (int i = 0; i < 2 && at_ < text_.size() && here() == quote; ++i) {
          ++at_;  // such a text may end in quotes of its own
        }
        return;
      } else {
        ++at_;
      }
    }
    at_ = text_.size();
  }

  void deepen(int depth) {
    if (depth > bounds_.depth) {
      broken_ =
          BrokenBound{line_, message<"this is nested deeper than {count} levels">(bounds_.depth)};
    }
  }
  void count(std::size_t values) {
    if (values > bounds_.values) {
      broken_ = BrokenBound{
          line_, message<"this has more than {count} values; no configuration needs so many">(
                     bounds_.values)};
    }
  }

  std::string_view text_;
  TextForm form_;
  const TextBounds& bounds_;
  std::size_t at_ = 0, commas_ = 0, equals_ = 0;
  int line_ = 1, depth_ = 0, dots_ = 0, dashes_ = 0;
  bool plain_ = false;  ///< within a YAML text without quotes
  std::optional<BrokenBound> broken_;
};

}  // namespace

std::optional<BrokenBound> broken_bound(std::string_view text, TextForm form,
                                        const TextBounds& bounds) {
  return Measure(text, form, bounds).run();
}

}  // namespace mantissa
