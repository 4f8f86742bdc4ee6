#include "engine/data/caption_metadata.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/utf8.h"
#include "engine/data/captions.h"
#include "engine/io/composed_name.h"
#include "engine/io/file.h"
#include "engine/io/text_lines.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxUtf16Bytes = 64u << 20;  // converted as a whole
constexpr std::size_t kMaxLineBytes = 1u << 20;
constexpr int kMostLevels = 64;
constexpr std::size_t kMostKeys = 6, kLongestKey = 40;  // that are told of a line
constexpr std::size_t kTold = 20;                       // lines of a file that are named one by one

std::string generic_utf8(const fs::path& path) {
  const std::u8string text = path.generic_u8string();
  return {text.begin(), text.end()};
}

/// Error in a line whose object has other keys than those that are read.
class OtherKeys : public Error {
 public:
  OtherKeys(const Message& text, std::vector<std::string> keys)
      : Error(text), keys_(std::move(keys)) {}
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::vector<std::string> keys_;
};

/// Error in a line that isn't UTF-8.
class NotUtf8Line : public Error {
 public:
  using Error::Error;
};

/// Takes "file_name" and "text" of a line's object, and keeps nothing else of it; with a place, the
/// names of its first few keys too.
class LineFields : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit LineFields(const Message& place) : place_(place) {}
  /// Throws Error if the line gave none (OtherKeys where there are some), or another type.
  std::string& field(std::string_view name) {
    Field& f = name == "text" ? text_ : file_name_;
    if (!f.is_text) {
      Message needs =
          message<"{place} needs \"{name}\" with a text; the line is passed over">(place_, name);
      if (!f.seen && !keys_.empty()) {
        throw OtherKeys(needs, std::move(keys_));
      }
      throw Error(std::move(needs));
    }
    return f.value;
  }

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(number_integer_t) override { return other(); }
  bool number_unsigned(number_unsigned_t) override { return other(); }
  bool number_float(number_float_t, const string_t&) override { return other(); }
  bool binary(binary_t&) override { return other(); }
  bool string(string_t& value) override {
    if (Field* f = std::exchange(current_, nullptr)) {
      f->value = std::move(value);
      f->is_text = true;
    }
    return true;
  }
  bool key(string_t& name) override {
    Field* f = depth_ != 1 || !is_object_ ? nullptr
               : name == "text"           ? &text_
               : name == "file_name"      ? &file_name_
                                          : nullptr;
    if (f != nullptr && std::exchange(f->seen, true)) {
      throw Error(message<"{file}: the key '{key}' appears twice">(place_, name));
    }
    current_ = f;
    if (depth_ == 1 && is_object_ && !place_.empty() && keys_.size() < kMostKeys &&
        name.size() <= kLongestKey) {
      keys_.push_back(name);
    }
    return true;
  }
  bool start_object(std::size_t) override {
    is_object_ = is_object_ || depth_ == 0;
    return enter();
  }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return --depth_, true; }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr) {
      throw Error(
          message<"{file} holds a number beyond the largest that there is, 1.8e308; correct it">(
              place_));
    }
    throw Error(message<"{file} is not valid JSON: error near byte {byte}">(place_, byte));
  }

 private:
  struct Field {
    std::string value;
    bool seen = false, is_text = false;
  };
  bool other() {
    current_ = nullptr;
    return true;
  }
  bool enter() {
    current_ = nullptr;
    if (++depth_ > kMostLevels) {
      throw Error(message<"{file} is nested deeper than {count} levels">(place_, kMostLevels));
    }
    return true;
  }

  const Message& place_;
  Field text_, file_name_;
  Field* current_ = nullptr;  ///< that the next value belongs to
  std::vector<std::string> keys_;
  int depth_ = 0;
  bool is_object_ = false;
};

/// Whether a name may have to be brought into normal form.
bool is_unusual(std::string_view name) {
#ifdef _WIN32
  if (name.find_first_of("\\:") != std::string_view::npos) {
    return true;
  }
#endif
  return name.empty() || name.front() == '/' || name.front() == '.' ||
         name.find("//") != std::string_view::npos || name.find("/.") != std::string_view::npos;
}

/// The path of a file that a line names, below the folder of `prefix`.
std::string named_path(const std::string& prefix, const std::string& name, const Message& place) {
  if (!is_unusual(name)) {
    return prefix + name;
  }
  const fs::path named = path_from_utf8(name);
  const fs::path relative = named.lexically_normal();
  if (named.empty() || named.has_root_path() || *relative.begin() == "..") {
    throw Error(
        message<"{place} names \"{file}\", which isn't inside its folder; the line is passed over">(
            place, path_to_utf8(named)));
  }
  return prefix + generic_utf8(relative);
}

std::size_t levels(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(folder.begin(), folder.end()));
}

/// "" for the current folder, else with a '/' at its end.
std::string prefix_of(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  std::string prefix = normal == "." ? "" : generic_utf8(normal);
  return prefix.empty() || prefix.ends_with('/') ? prefix : prefix + '/';
}

}  // namespace

/// One file while it is read.
class CaptionMetadata::Reading {
 public:
  Reading(CaptionMetadata& metadata, const fs::path& file, DatasetReport& report)
      : metadata_(metadata),
        file_(file),
        report_(report),
        prefix_(prefix_of(file.parent_path())),
        depth_(levels(file.parent_path())) {}

  void read() {
    try {
      const std::string start = read_bytes(file_, 2);
      if (start == "\xFF\xFE" || start == "\xFE\xFF") {
        read_utf16();
      } else {
        TextLines lines(file_);
        for (std::string_view line; lines.next(line, kMaxLineBytes);) {
          take(line, lines.number(), lines.was_cut());
        }
      }
    } catch (const Error& e) {
      report_.skipped.push_back({file_, SkipKind::metadata, e.message()});
    }
    tell_others();
    tell_more();
  }

 private:
  void read_utf16() {
    const DecodedCaption decoded = decode_text(read_text(file_, kMaxUtf16Bytes));
    report_.notices.push_back(message<"{path}: {notice}">(path_to_utf8(file_), decoded.notice));
    std::string_view rest = decoded.text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      take(line, number, line.size() > kMaxLineBytes);
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
  }

  void take(std::string_view line, std::size_t number, bool is_cut) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      return;
    }
    const auto place = [&] { return message<"{file} line {line}">(path_to_utf8(file_), number); };
    try {
      if (is_cut) {
        throw Error(message<"{place} is longer than 1 MB; the line is passed over">(place()));
      }
      read_line(line, place);
    } catch (const OtherKeys& e) {
      if (others_.empty()) {
        keys_ = e.keys();
      }
      ++other_;
      if (others_.size() < kTold) {
        others_.push_back(e.message());
      }
    } catch (const NotUtf8Line& e) {
      legacy_ = file_;
      add_bad(e.message());
    } catch (const Error& e) {
      add_bad(e.message());
    }
  }

  void add_bad(const Message& reason) {
    if (++bad_ <= kTold) {
      report_.skipped.push_back({file_, SkipKind::metadata, reason, legacy_});
    }
  }

  /// Lines with other keys: each where some are right, else what the file has instead.
  void tell_others() {
    if (usable_ > 0) {
      for (const Message& reason : others_) {
        add_bad(reason);
      }
      bad_ += other_ - others_.size();
    } else if (other_ > 0) {
      std::vector<Message> keys;
      for (const std::string& key : keys_) {
        keys.push_back(Message::verbatim('"' + key + '"'));
      }
      report_.skipped.push_back(
          {file_, SkipKind::metadata,
           message<"{file}: captions are read from \"file_name\" and \"text\", which none of its "
                   "{count} lines has together; the first has {keys}. Rename the keys">(
               path_to_utf8(file_), other_, joined<", ">(std::move(keys)))});
    }
  }

  template <typename Place>
  void read_line(std::string_view line, const Place& place) {
    if (const auto bad = utf8_error_offset(line); bad != std::string_view::npos) {
      throw NotUtf8Line(
          message<"{place} isn't valid UTF-8 at byte {byte}; save it as UTF-8, or convert "
                  "it with `mantissa caption --recode`">(place(), bad));
    }
    // Most lines are right: their place is only made for those that aren't.
    static const Message unknown;
    try {
      read_fields(line, unknown, place);
    } catch (const Error&) {
      read_fields(line, place(), place);
    }
  }

  template <typename Place>
  void read_fields(std::string_view line, const Message& here, const Place& place) {
    LineFields fields(here);
    nlohmann::json::sax_parse(line.begin(), line.end(), &fields);
    const std::string& name = fields.field("file_name");
    const std::string& text = fields.field("text");
    ++usable_;
    assign(name, text, here, place);
  }

  template <typename Place>
  void assign(const std::string& name, const std::string& text, const Message& here,
              const Place& place) {
    const std::string path = named_path(prefix_, name, here);
    const auto [first, last] = metadata_.by_name_.equal_range(composed(path));
    std::string caption;
    try {
      caption = decode_caption(text).text;
    } catch (const Error& e) {
      throw Error(
          message<"{place}: the text {reason}; the line is passed over">(here, e.message()));
    }
    if (first == last && ++unused_ <= kTold) {
      report_.notices.push_back(
          message<"{place} names {file}, which isn't used with it">(place(), path));
    }
    for (auto at = first; at != last; ++at) {
      Image& image = metadata_.images_[at->second];
      const bool exact = image.path == path;
      if (image.line && image.line->depth == depth_ && image.line->exact == exact &&
          ++repeated_ <= kTold) {
        report_.notices.push_back(
            message<"{place} names {file} a second time; the later text is used">(place(), path));
      }
      if (!image.line ||
          std::tuple(depth_, exact) >= std::tuple(image.line->depth, image.line->exact)) {
        image.line = Line{caption, depth_, exact};
      }
    }
  }

  /// How many lines weren't named one by one.
  void tell_more() {
    const std::string file = path_to_utf8(file_);
    const auto more = [](std::size_t count) { return count - std::min(count, kTold); };
    if (more(bad_) > 0) {
      report_.skipped.push_back(
          {file_, SkipKind::metadata,
           message<"{file}: {count} more lines are passed over">(file, more(bad_)), legacy_});
    }
    if (more(unused_) > 0) {
      report_.notices.push_back(
          message<"{file}: {count} more lines name files that aren't used">(file, more(unused_)));
    }
    if (more(repeated_) > 0) {
      report_.notices.push_back(
          message<"{file}: {count} more lines name an image a second time">(file, more(repeated_)));
    }
  }

  CaptionMetadata& metadata_;
  const fs::path& file_;
  DatasetReport& report_;
  std::string prefix_;
  std::size_t depth_;
  std::size_t bad_ = 0, unused_ = 0, repeated_ = 0, usable_ = 0;
  std::size_t other_ = 0;        ///< lines with other keys
  std::vector<Message> others_;  ///< the first of them
  std::vector<std::string> keys_;
  fs::path legacy_;  ///< the file, once a line of it isn't UTF-8
};

void CaptionMetadata::add_image(const fs::path& image) {
  const std::string path = generic_utf8(image);
  by_path_.emplace(image, images_.size());
  by_name_.emplace(composed(path), images_.size());
  images_.push_back({path, {}});
}

void CaptionMetadata::read(DatasetReport& report) {
  for (const fs::path& file : files_) {
    Reading(*this, file, report).read();
  }
}

const std::string* CaptionMetadata::text(const fs::path& image) const {
  const auto found = by_path_.find(image);
  return found == by_path_.end() || !images_[found->second].line
             ? nullptr
             : &images_[found->second].line->text;
}

}  // namespace mantissa
