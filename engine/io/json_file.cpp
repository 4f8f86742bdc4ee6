#include "engine/io/json_file.h"

#include <set>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text_bounds.h"
#include "engine/io/file.h"

namespace mantissa {

namespace {
constexpr std::size_t kMostBytes = 16u << 20;
constexpr int kMostLevels = 64;
}  // namespace

nlohmann::json parse_json(std::string_view text, const Message& label) {
  if (text.size() > kMostBytes) {
    throw Error(message<"{file} has {bytes} bytes; at most {most} are allowed">(label, text.size(),
                                                                                kMostBytes));
  }
  if (broken_bound(text, TextForm::json, {.depth = kMostLevels})) {
    throw Error(message<"{file} is nested deeper than {count} levels">(label, kMostLevels));
  }
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int, Event event, nlohmann::json& value) {
    if (event == Event::object_start) {
      keys.emplace_back();
    } else if (event == Event::object_end) {
      keys.pop_back();
    } else if (event == Event::key && !keys.back().insert(value.get<std::string>()).second) {
      throw Error(
          message<"{file}: the key '{key}' appears twice">(label, value.get<std::string>()));
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text, watch);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(message<"{file} is not valid JSON: error near byte {byte}">(label, error.byte));
  } catch (const nlohmann::json::out_of_range&) {
    throw Error(
        message<"{file} holds a number beyond the largest that there is, 1.8e308; correct it">(
            label));
  }
}

nlohmann::json parse_json_or_discard(std::string_view text) {
  return broken_bound(text, TextForm::json, {.bytes = kMostBytes, .depth = kMostLevels})
             ? nlohmann::json(nlohmann::json::value_t::discarded)
             : nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

namespace {

/// Quotes Infinity, -Infinity and NaN outside of strings.
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
