#include "engine/caption/tag_list.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/utf8.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {

/// The fields of a line; nothing if a quote isn't closed.
std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return quoted ? std::nullopt : std::optional(std::move(fields));
}

TagKind kind_of(const std::string& category) {
  return category == "9"   ? TagKind::rating
         : category == "0" ? TagKind::general
         : category == "4" ? TagKind::character
                           : TagKind::other;
}

/// The columns' places.
struct Columns {
  std::size_t name = 0, category = 0;

  Columns(const std::vector<std::string>& header, const std::string& file) {
    name = find(header, "name", file);
    category = find(header, "category", file);
  }
  static std::size_t find(const std::vector<std::string>& header, const char* wanted,
                          const std::string& file) {
    const auto at = std::ranges::find(header, wanted);
    if (at == header.end()) {
      throw Error(message<"'{file}' is no list of tags: its first line has no column {column}. Get "
                          "the tagger's selected_tags.csv again">(file, wanted));
    }
    return static_cast<std::size_t>(at - header.begin());
  }
};

}  // namespace

std::vector<Tag> read_tag_list(const std::filesystem::path& file) {
  const std::string label = path_to_utf8(file), text = read_text(file);
  if (utf8_error_offset(text) != std::string_view::npos) {
    throw Error(message<"'{file}' is no list of tags: it isn't UTF-8">(label));
  }
  std::vector<Tag> tags;
  std::optional<Columns> columns;
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    line = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    begin = end + 1;
    ++number;
    if (line.empty()) {
      continue;
    }
    const auto fields = fields_of(line);
    if (!columns && fields) {
      columns.emplace(*fields, label);
      continue;
    }
    if (!fields || fields->size() <= std::max(columns->name, columns->category) ||
        (*fields)[columns->name].empty()) {
      throw Error(message<"'{file}', line {line}: a tag with its category is expected. Get the "
                          "tagger's selected_tags.csv again">(label, number));
    }
    tags.push_back({(*fields)[columns->name], kind_of((*fields)[columns->category])});
  }
  if (tags.empty()) {
    throw Error(message<"'{file}' lists no tags">(label));
  }
  return tags;
}

std::string spoken(const std::string& name) {
  constexpr std::size_t kEmoticon = 3;
  if (name.size() <= kEmoticon || std::ranges::none_of(name, [](char c) {
        const char lower = static_cast<char>(c | 0x20);
        return (lower >= 'a' && lower <= 'z') || static_cast<unsigned char>(c) >= 0x80;
      })) {
    return name;
  }
  std::string words = name;
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace mantissa
