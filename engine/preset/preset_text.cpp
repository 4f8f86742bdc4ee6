#include "engine/preset/preset_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

#include "engine/core/printable.h"
#include "engine/preset/preset_limits.h"

namespace mantissa {
namespace {

/// The JSON library's text after its own prefix, with the end of what it has read:
/// "invalid literal; last read: '…'".
std::string without_all_it_read(std::string why) {
  constexpr std::string_view kRead = "last read: '";
  constexpr std::size_t kShown = 60;
  if (const std::size_t dash = why.find(" - "); dash != std::string::npos) {
    why.erase(0, dash + 3);
  } else if (const std::size_t bracket = why.find("] "); bracket != std::string::npos) {
    why.erase(0, bracket + 2);
  }
  const std::size_t read = why.find(kRead);
  if (read == std::string::npos || why.size() - read <= kRead.size() + kShown) {
    return why;
  }
  std::size_t shown = why.size() - kShown;
  while (shown < why.size() && (static_cast<unsigned char>(why[shown]) & 0xC0U) == 0x80U) {
    ++shown;  // of a character that begins before
  }
  // Not in the middle of "<U+000A>", as the library writes what isn't printed.
  const std::size_t escape = why.rfind("<U+", shown);
  if (escape != std::string::npos && escape < shown) {
    const std::size_t end = why.find('>', escape);
    shown = end != std::string::npos && end >= shown ? end + 1 : shown;
  }
  return why.substr(0, read + kRead.size()) + "..." + why.substr(shown);
}

/// The parser's position: counts lines.
struct Position {
  int line = 1;        ///< of the next character
  int token_line = 1;  ///< of the last character that is not white space
};

/// Feeds text to the parser and keeps `Position` up to date.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Position* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_ == '\n') {
      ++position_->line;
    } else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r') {
      position_->token_line = position_->line;
    }
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Position* position_;
};

/// Builds the tree. Every handler returns false to stop the parser.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(JsonNode& root, const Position& position, std::vector<LineProblem>& problems)
      : root_(root), position_(position), problems_(problems) {}

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
  bool string(string_t& value) override { return short_enough(value) && scalar(value); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!short_enough(name)) {
      return false;
    }
    const auto [first, is_new] = first_lines_.back().emplace(name, line());
    if (!is_new) {
      problems_.push_back({line(), message<"{key} is given twice, first on line {line}; keep one">(
                                       name, first->second)});
    }
    stack_.back()->members.push_back({name, line(), {}});
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    problems_.push_back(
        {line(), message<"this is not valid JSON: {reason}">(without_all_it_read(error.what()))});
    return false;
  }

 private:
  int line() const { return position_.token_line; }

  bool stop(Message why) {
    problems_.push_back({line(), std::move(why)});
    return false;
  }

  bool short_enough(const std::string& text) {
    return text.size() <= kPresetMaxString || stop(message<"a text is longer than 64 KB">());
  }

  JsonNode* place() {
    if (++values_ > kPresetMaxValues) {
      stop(message<"this has more than {count} values; no preset needs so many">(kPresetMaxValues));
      return nullptr;
    }
    JsonNode* node = &root_;
    if (!stack_.empty()) {
      JsonNode& parent = *stack_.back();
      node = parent.is_object ? &parent.members.back().node : &parent.items.emplace_back();
    }
    node->line = line();
    return node;
  }

  template <typename V>
  bool scalar(V&& value) {
    JsonNode* node = place();
    if (node == nullptr) {
      return false;
    }
    node->scalar = std::forward<V>(value);
    return true;
  }

  bool open(bool object) {
    JsonNode* node = place();
    if (node == nullptr) {
      return false;
    }
    (object ? node->is_object : node->is_array) = true;
    stack_.push_back(node);
    first_lines_.emplace_back();
    return static_cast<int>(stack_.size()) <= kPresetMaxDepth ||
           stop(message<"this is nested deeper than {count} levels">(kPresetMaxDepth));
  }

  bool close() {
    stack_.pop_back();
    first_lines_.pop_back();
    return true;
  }

  JsonNode& root_;
  const Position& position_;
  std::vector<LineProblem>& problems_;
  // Pointers stay valid: while a node is open, only it and nodes inside it grow.
  std::vector<JsonNode*> stack_;
  std::vector<std::map<std::string, int>> first_lines_;  ///< of the keys in each open node
  int values_ = 0;
};

/// The message with every value printable and on one line.
Message with_printable_values(const Message& said) {
  if (said.kind() == Message::Kind::verbatim) {
    return Message::verbatim(printable(said.source()));
  }
  std::vector<Message> values;
  for (const Message& value : said.values()) {
    values.push_back(with_printable_values(value));
  }
  return said.kind() == Message::Kind::list ? Message::list(said.source(), std::move(values))
                                            : Message(said.source(), std::move(values));
}

}  // namespace

Message ProblemList::lines(const std::vector<LineProblem>& problems, std::string_view source) {
  std::vector<Message> shown;
  for (const LineProblem& p : problems) {
    shown.push_back(with_printable_values(
        p.line == 0 ? p.message
                    : mantissa::message<"{file}:{line}: {problem}">(source, p.line, p.message)));
  }
  return joined<"\n">(std::move(shown));
}

nlohmann::json JsonNode::value() const {
  if (is_object) {
    nlohmann::json object = nlohmann::json::object();
    for (const Member& m : members) {
      object[m.key] = m.node.value();
    }
    return object;
  }
  if (is_array) {
    nlohmann::json list = nlohmann::json::array();
    for (const JsonNode& item : items) {
      list.push_back(item.value());
    }
    return list;
  }
  return scalar;
}

bool is_utf16(std::string_view text) {
  using namespace std::string_view_literals;
  return text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv);
}

bool parse_json_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems) {
  if (const auto broken = broken_bound(text, TextForm::json, kPresetBounds)) {
    problems.push_back({broken->line, broken->message});
    return false;
  }
  Position position;
  TreeBuilder builder(root, position, problems);
  return nlohmann::json::sax_parse(CountingIterator(text.data(), &position),
                                   CountingIterator(text.data() + text.size(), &position),
                                   &builder);
}

}  // namespace mantissa
