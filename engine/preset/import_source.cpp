#include "engine/preset/import_source.h"

#include <cmath>
#include <fmt/format.h>
#include <sstream>

#include "engine/preset/preset_io.h"

// Header only: the same on every distribution, and nothing to ship.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_WINDOWS_COMPAT 0
// Its assertions don't hold for malformed files ("[[[["): builds that check them would abort, and
// Clang's with NDEBUG would be told to rely on them. The parser itself finds what is wrong.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Copies a parsed TOML tree, counting against the limits.
class TomlReader {
 public:
  explicit TomlReader(std::vector<LineProblem>& problems) : problems_(problems) {}

  bool read(const toml::node& from, JsonNode& to, int depth) {
    to.line = std::max(1, static_cast<int>(from.source().begin.line));
    if (++values_ > kPresetMaxValues) {
      return stop(to.line,
                  fmt::format("this has more than {} values; no configuration needs so many",
                              kPresetMaxValues));
    }
    if (depth > kPresetMaxDepth) {
      return stop(to.line, fmt::format("this is nested deeper than {} levels", kPresetMaxDepth));
    }
    if (const toml::table* table = from.as_table()) {
      to.is_object = true;
      return read_table(*table, to, depth);
    }
    if (const toml::array* array = from.as_array()) {
      to.is_array = true;
      for (const toml::node& item : *array) {
        if (!read(item, to.items.emplace_back(), depth + 1)) {
          return false;
        }
      }
      return true;
    }
    return read_scalar(from, to);
  }

 private:
  bool read_table(const toml::table& table, JsonNode& to, int depth) {
    for (const auto& [key, node] : table) {
      if (key.str().size() > kPresetMaxString) {
        return stop(to.line, "a text is longer than 64 KB");
      }
      to.members.push_back({std::string(key.str()), 1, {}});
      JsonNode::Member& member = to.members.back();
      if (!read(node, member.node, depth + 1)) {
        return false;
      }
      member.line = member.node.line;
    }
    // The library sorts by name; the report follows the file.
    std::stable_sort(to.members.begin(), to.members.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return true;
  }

  bool read_scalar(const toml::node& from, JsonNode& to) {
    if (const auto* text = from.as_string()) {
      if (text->get().size() > kPresetMaxString) {
        return stop(to.line, "a text is longer than 64 KB");
      }
      to.scalar = text->get();
    } else if (const auto* integer = from.as_integer()) {
      to.scalar = integer->get();
    } else if (const auto* number = from.as_floating_point()) {
      const double value = number->get();
      to.scalar = std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : "inf");
    } else if (const auto* boolean = from.as_boolean()) {
      to.scalar = boolean->get();
    } else {
      std::ostringstream text;
      from.visit([&](const auto& node) {
        if constexpr (toml::is_date<decltype(node)> || toml::is_time<decltype(node)> ||
                      toml::is_date_time<decltype(node)>) {
          text << node.get();
        }
      });
      to.scalar = text.str();
    }
    return true;
  }

  bool stop(int line, std::string message) {
    problems_.push_back({line, std::move(message)});
    return false;
  }

  std::vector<LineProblem>& problems_;
  int values_ = 0;
};

void flatten(const JsonNode& node, const std::string& path, int line,
             std::vector<SourceEntry>& out) {
  if (node.is_object && !node.members.empty()) {
    for (const JsonNode::Member& m : node.members) {
      flatten(m.node, path.empty() ? m.key : path + "." + m.key, m.line, out);
    }
  } else if (!path.empty()) {
    out.push_back({path, path, node.value(), line});
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Words at spaces outside of brackets and quotes.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    }
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (i == text.size() || (space && depth <= 0 && quote == '\0')) {
      if (i > begin) {
        words.push_back(text.substr(begin, i - begin));
      }
      begin = i + 1;
    }
  }
  return words;
}

}  // namespace

bool parse_toml_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems) {
  if (text.size() > kPresetMaxBytes) {
    problems.push_back({1, fmt::format("this has {} bytes; a configuration has at most {}",
                                       text.size(), kPresetMaxBytes)});
    return false;
  }
  try {
    const toml::table table = toml::parse(text);
    return TomlReader(problems).read(table, root, 1);
  } catch (const toml::parse_error& e) {
    problems.push_back({std::max(1, static_cast<int>(e.source().begin.line)),
                        fmt::format("this is not valid TOML: {}", e.description())});
    return false;
  }
}

std::vector<SourceEntry> flatten_tree(const JsonNode& root) {
  std::vector<SourceEntry> entries;
  flatten(root, "", root.line, entries);
  return entries;
}

Json value_from_literal(std::string_view text) {
  text = trimmed(text);
  if (text == "True" || text == "False") {
    return text == "True";
  }
  if (text == "None") {
    return nullptr;
  }
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
    return std::string(text.substr(1, text.size() - 2));
  }
  std::string json(text);
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') {
    json.front() = '[';
    json.back() = ']';
  } else if (!text.empty() && text.find(',') != std::string_view::npos &&
             text.find_first_not_of("0123456789.,eE+- ") == std::string_view::npos) {
    json = "[" + json + "]";
  }
  // Python writes 1. and .5, which JSON does not; whatever is no JSON stays text.
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!value.is_discarded() && !value.is_object()) {
    return value;
  }
  return std::string(text);
}

std::vector<std::pair<std::string, Json>> split_arguments(const Json& value) {
  std::vector<std::pair<std::string, Json>> pairs;
  const auto add = [&](std::string_view word) {
    word = trimmed(word);
    const std::size_t equals = word.find('=');
    if (word.empty()) {
      return;
    }
    if (equals == std::string_view::npos || equals == 0) {
      pairs.emplace_back("", std::string(word));
    } else {
      pairs.emplace_back(std::string(trimmed(word.substr(0, equals))),
                         value_from_literal(word.substr(equals + 1)));
    }
  };
  if (value.is_string()) {
    for (const std::string_view word : words_of(value.get_ref<const std::string&>())) {
      add(word);
    }
  } else if (value.is_array()) {
    for (const Json& item : value) {
      add(item.is_string() ? item.get_ref<const std::string&>() : item.dump());
    }
  }
  return pairs;
}

}  // namespace mantissa
