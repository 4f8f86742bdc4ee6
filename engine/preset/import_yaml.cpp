#include "engine/preset/import_yaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <new>
#include <string>
#include <yaml.h>

#include "engine/preset/import_rules.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

class Parser {
 public:
  explicit Parser(std::string_view text) {
    if (yaml_parser_initialize(&parser_) == 0) {
      throw std::bad_alloc();
    }
    // Set, so that no byte-order mark switches to UTF-16.
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  yaml_parser_t* get() { return &parser_; }

 private:
  yaml_parser_t parser_{};
};

/// One event of the parser, freed with its scope.
class Event {
 public:
  explicit Event(Parser& parser) : ok_(yaml_parser_parse(parser.get(), &event_) != 0) {}
  ~Event() {
    if (ok_) {
      yaml_event_delete(&event_);
    }
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  bool ok() const { return ok_; }
  yaml_event_type_t type() const { return event_.type; }
  int line() const { return static_cast<int>(event_.start_mark.line) + 1; }
  bool tagged() const {
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        return event_.data.scalar.tag != nullptr;
      case YAML_SEQUENCE_START_EVENT:
        return event_.data.sequence_start.tag != nullptr;
      case YAML_MAPPING_START_EVENT:
        return event_.data.mapping_start.tag != nullptr;
      default:
        return false;
    }
  }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }
  bool plain() const { return event_.data.scalar.style == YAML_PLAIN_SCALAR_STYLE; }

 private:
  yaml_event_t event_{};
  bool ok_;
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Numbers as [+-]digits with an optional fraction and exponent; 007, 0x1F and 1:30 stay text.
std::optional<Json> number_of(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  const std::size_t sign = digits[0] == '-' || digits[0] == '+' ? 1 : 0;
  const bool zero_first = digits.size() > sign + 1 && digits[sign] == '0' &&
                          digits[sign + 1] >= '0' && digits[sign + 1] <= '9';
  const bool two_signs = digits.find_first_of("+-", 1) == 1 && sign == 1;
  if (digits.find_first_not_of("0123456789+-.eE") != std::string::npos || zero_first || two_signs) {
    return std::nullopt;
  }
  const char* const begin = digits.data() + (digits[0] == '+' ? 1 : 0);
  const char* const end = digits.data() + digits.size();
  std::int64_t whole = 0;
  if (const auto [at, error] = std::from_chars(begin, end, whole);
      error == std::errc() && at == end) {
    return whole;
  }
  double number = 0;
  if (const auto [at, error] = std::from_chars(begin, end, number);
      error == std::errc() && at == end && std::isfinite(number)) {
    return number;
  }
  return std::nullopt;
}

Json scalar_of(std::string_view text) {
  const std::string lower = lower_ascii(text);
  // YAML knows these words in lower case, in capitals and with a capital.
  const bool cased =
      text == lower ||
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) ||
      text.substr(1) == std::string_view(lower).substr(1);
  if (text.empty() || text == "~" || (cased && lower == "null")) {
    return nullptr;
  }
  if (cased && is_one_of(lower, {"true", "yes", "on"})) {
    return true;
  }
  if (cased && is_one_of(lower, {"false", "no", "off"})) {
    return false;
  }
  return number_of(text).value_or(std::string(text));
}

/// Builds the tree from events, counting against the limits.
class YamlReader {
 public:
  YamlReader(std::string_view text, std::vector<LineProblem>& problems)
      : parser_(text), problems_(problems) {}

  bool read_document(JsonNode& root) {
    if (!skip(YAML_STREAM_START_EVENT)) {
      return false;
    }
    const Event start(parser_);
    if (start.ok() && start.type() == YAML_STREAM_END_EVENT) {
      root.is_object = true;  // an empty file, as in TOML
      return true;
    }
    if (!start.ok()) {
      return stop_at_error();
    }
    if (!read_next(root, 1) || !skip(YAML_DOCUMENT_END_EVENT)) {
      return false;
    }
    const Event end(parser_);
    if (!end.ok()) {
      return stop_at_error();
    }
    return end.type() == YAML_STREAM_END_EVENT ||
           stop(end.line(), message<"this has several YAML documents; keep one">());
  }

 private:
  bool skip(yaml_event_type_t type) {
    const Event event(parser_);
    if (!event.ok()) {
      return stop_at_error();
    }
    return event.type() == type || stop(event.line(), message<"this is not valid YAML: {reason}">(
                                                          message<"unexpected structure">()));
  }

  bool read_next(JsonNode& to, int depth) {
    const Event event(parser_);
    return event.ok() ? read(event, to, depth) : stop_at_error();
  }

  bool read(const Event& event, JsonNode& to, int depth) {
    to.line = event.line();
    if (++values_ > kPresetMaxValues) {
      return stop(to.line,
                  message<"this has more than {count} values; no configuration needs so many">(
                      kPresetMaxValues));
    }
    if (depth > kPresetMaxDepth) {
      return stop(to.line, message<"this is nested deeper than {count} levels">(kPresetMaxDepth));
    }
    if (event.type() == YAML_ALIAS_EVENT) {
      return stop(to.line, message<"a YAML alias (*name) is not read; write the value out">());
    }
    if (event.tagged()) {
      return stop(to.line, message<"a YAML tag (!name) is not read; write the plain value">());
    }
    switch (event.type()) {
      case YAML_MAPPING_START_EVENT:
        to.is_object = true;
        return read_mapping(to, depth);
      case YAML_SEQUENCE_START_EVENT:
        to.is_array = true;
        return read_sequence(to, depth);
      default:  // the parser gives nothing else here than a scalar
        if (event.text().size() > kPresetMaxString) {
          return stop(to.line, message<"a text is longer than 64 KB">());
        }
        to.scalar = event.plain() ? scalar_of(event.text()) : Json(std::string(event.text()));
        return true;
    }
  }

  bool read_sequence(JsonNode& to, int depth) {
    while (true) {
      const Event event(parser_);
      if (!event.ok()) {
        return stop_at_error();
      }
      if (event.type() == YAML_SEQUENCE_END_EVENT) {
        return true;
      }
      if (!read(event, to.items.emplace_back(), depth + 1)) {
        return false;
      }
    }
  }

  bool read_mapping(JsonNode& to, int depth) {
    std::map<std::string, int> first_lines;
    while (true) {
      const Event key(parser_);
      if (!key.ok()) {
        return stop_at_error();
      }
      if (key.type() == YAML_MAPPING_END_EVENT) {
        return true;
      }
      if (key.type() != YAML_SCALAR_EVENT || key.tagged()) {
        return stop(key.line(), message<"a YAML key must be plain text">());
      }
      if (key.text().size() > kPresetMaxString) {
        return stop(key.line(), message<"a text is longer than 64 KB">());
      }
      const std::string name(key.text());
      const auto [first, is_new] = first_lines.emplace(name, key.line());
      if (!is_new) {
        problems_.push_back(
            {key.line(),
             message<"{key} is given twice, first on line {line}; keep one">(name, first->second)});
      }
      to.members.push_back({name, key.line(), {}});
      if (!read_next(to.members.back().node, depth + 1)) {
        return false;
      }
    }
  }

  bool stop_at_error() {
    const yaml_parser_t& p = *parser_.get();
    if (p.error == YAML_MEMORY_ERROR) {
      throw std::bad_alloc();
    }
    // The reader of bytes gives an offset in place of a line.
    const std::size_t line = p.error == YAML_READER_ERROR ? p.mark.line : p.problem_mark.line;
    return stop(static_cast<int>(line) + 1,
                message<"this is not valid YAML: {reason}">(std::string_view(p.problem)));
  }

  bool stop(int line, Message why) {
    problems_.push_back({line, std::move(why)});
    return false;
  }

  Parser parser_;
  std::vector<LineProblem>& problems_;
  int values_ = 0;
};

}  // namespace

bool looks_like_yaml(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    const std::size_t first = std::min(whole.find_first_not_of(" \t\r"), whole.size());
    std::string_view line = whole.substr(first);
    begin = end + 1;
    if (line.empty() || line[0] == '#') {
      continue;
    }
    if (line.starts_with("---") || line.starts_with("%YAML") || line.starts_with("- ")) {
      return true;
    }
    if (line[0] == '[') {
      return false;
    }
    if (line[0] == '"' || line[0] == '\'') {  // a quoted key may hold either sign
      const std::size_t close = line.find(line[0], 1);
      line = close == std::string_view::npos ? std::string_view() : line.substr(close);
    }
    const std::size_t colon = line.find(':'), equals = line.find('=');
    return colon != std::string_view::npos && colon < equals &&
           (colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\t' ||
            line[colon + 1] == '\r');
  }
  return false;
}

bool parse_yaml_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems) {
  if (const auto broken = broken_bound(text, TextForm::yaml, kPresetBounds)) {
    problems.push_back({broken->line, broken->message});
    return false;
  }
  return YamlReader(text, problems).read_document(root);
}

}  // namespace mantissa
