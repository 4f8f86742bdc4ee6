#include "engine/io/json_file.h"

#include <set>
#include <vector>

#include "engine/core/error.h"
#include "engine/io/file.h"

namespace mantissa {

namespace {
constexpr std::size_t kMostBytes = 16u << 20;
constexpr int kMostLevels = 64;
}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& label) {
  if (text.size() > kMostBytes) {
    throw Error(label + " has " + std::to_string(text.size()) + " bytes; at most " +
                std::to_string(kMostBytes) + " are allowed");
  }
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Event event, nlohmann::json& value) {
    if (depth > kMostLevels) {
      throw Error(label + " is nested deeper than " + std::to_string(kMostLevels) + " levels");
    }
    if (event == Event::object_start) {
      keys.emplace_back();
    } else if (event == Event::object_end) {
      keys.pop_back();
    } else if (event == Event::key && !keys.back().insert(value.get<std::string>()).second) {
      throw Error(label + ": the key '" + value.get<std::string>() + "' appears twice");
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text, watch);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(label + " is not valid JSON: error near byte " + std::to_string(error.byte));
  } catch (const nlohmann::json::out_of_range&) {
    throw Error(label + " holds a number beyond the largest that there is, 1.8e308; correct it");
  }
}

namespace {

/// Puts Infinity, -Infinity and NaN between quotes where they stand outside of texts.
std::string with_quoted_numbers(std::string_view text) {
  std::string result;
  bool inside = false;
  while (!text.empty()) {
    std::size_t taken = 1;
    if (!inside) {
      for (const std::string_view number : {"-Infinity", "Infinity", "NaN"}) {
        if (text.starts_with(number)) {
          result += '"' + std::string(number) + '"';
          taken = number.size();
          break;
        }
      }
    }
    if (taken == 1) {
      inside = text.front() == '"' ? !inside : inside;
      if (inside && text.front() == '\\' && text.size() > 1) {
        taken = 2;
      }
      result += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return result;
}

}  // namespace

nlohmann::json read_python_json(const std::filesystem::path& path) {
  return parse_json(with_quoted_numbers(read_text(path, kMostBytes)),
                    "'" + path_to_utf8(path) + "'");
}

nlohmann::json read_json(const std::filesystem::path& path) {
  return parse_json(read_text(path, kMostBytes), "'" + path_to_utf8(path) + "'");
}

}  // namespace mantissa
