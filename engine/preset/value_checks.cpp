#include "engine/preset/value_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/preset/names.h"
#include "engine/preset/nearest_word.h"
#include "engine/preset/number_text.h"
#include "engine/preset/text_rules.h"

namespace mantissa::value_io {

Message shown(const Json& value) {
  if (value.is_object()) {
    return message<"an object">();
  }
  if (value.is_array()) {
    return message<"a list of {count}">(value.size());
  }
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) {
    std::size_t end = 56;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
      --end;
    }
    text.resize(end);
    text += "…\"";
  }
  return Message::verbatim(text);
}

void refuse(const std::string& path, const Json& value, const Message& expected,
            Problems& problems) {
  problems.push_back(
      {path, message<"{key} is {value}; it must be {expected}">(path, shown(value), expected)});
}

void refuse_word(const std::string& path, const Json& value, const Message& expected,
                 std::span<const std::string_view> choices, Problems& problems) {
  const std::string_view nearest =
      value.is_string() ? nearest_word(value.get_ref<const std::string&>(), choices) : "";
  if (nearest.empty()) {
    refuse(path, value, expected, problems);
    return;
  }
  problems.push_back(
      {path, message<"{key} is {value}; it must be {expected}; did you mean {near}?">(
                 path, shown(value), expected, nearest)});
}

bool check_boolean(const Json& value, const std::string& path, Problems& problems) {
  if (!value.is_boolean()) {
    refuse(path, value, message<"true or false">(), problems);
    return false;
  }
  return true;
}

bool check_integer(const Json& value, const std::string& path, double min, double max,
                   std::int64_t& out, Problems& problems) {
  const double number = value.is_number() ? value.get<double>() : 0;
  // 1e3 is an integer too; bounds are below 2^53, so the double comparison is exact.
  if (!value.is_number() || number != std::floor(number) || !(number >= min && number <= max)) {
    refuse(path, value, whole_number(min, max), problems);
    return false;
  }
  out = value.is_number_float() ? static_cast<std::int64_t>(number) : value.get<std::int64_t>();
  return true;
}

bool check_number(const Json& value, const std::string& path, double min, double max, double& out,
                  Problems& problems) {
  const double number = value.is_number() ? value.get<double>() : 0;
  if (!value.is_number() || !(number >= min && number <= max)) {
    refuse(path, value,
           message<"a number from {least} to {most}">(number_to_json(min).dump(),
                                                      number_to_json(max).dump()),
           problems);
    return false;
  }
  out = number + 0.0;  // -0 becomes 0
  return true;
}

bool check_choice(const Json& value, const std::string& path,
                  std::span<const std::string_view> choices, std::size_t& out, Problems& problems) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found != choices.end()) {
      out = static_cast<std::size_t>(found - choices.begin());
      return true;
    }
  }
  refuse_word(path, value, message<"one of {choices}">(fmt::format("{}", fmt::join(choices, ", "))),
              choices, problems);
  return false;
}

bool check_part(const Json& value, const std::string& path, Part& out, Problems& problems) {
  if (value.is_string() && value.get_ref<const std::string&>().size() <= Part::kLongest) {
    const Part part = part_called(value.get_ref<const std::string&>());
    if (std::find(kPartNames.begin(), kPartNames.end(), part.name()) != kPartNames.end()) {
      out = part;
      return true;
    }
  }
  refuse_word(path, value,
              message<"one of {choices}">(fmt::format("{}", fmt::join(kPartNames, ", "))),
              kPartNames, problems);
  return false;
}

bool check_text(const Json& value, const std::string& path, TextRule rule, std::string& out,
                Problems& problems) {
  if (!value.is_string()) {
    refuse(path, value, message<"text in quotes">(), problems);
    return false;
  }
  const std::string& text = value.get_ref<const std::string&>();
  const Message reason = text_refusal(text, rule);
  if (!reason.empty()) {
    problems.push_back(
        {path, message<"{key} is {value}, which {reason}">(path, shown(value), reason)});
    return false;
  }
  out = text;
  return true;
}

bool check_pattern(const Json& value, const std::string& path, std::string& out,
                   Problems& problems) {
  if (!value.is_string() || !is_module_pattern(value.get_ref<const std::string&>())) {
    refuse(path, value,
           message<"a module-path pattern of 1 to 256 characters without spaces, slashes or "
                   "colons, such as \"denoiser.down_blocks.*.attn1.to_q\"">(),
           problems);
    return false;
  }
  out = value.get<std::string>();
  return true;
}

bool check_list(const Json& value, const std::string& path, const Message& list,
                const Message& items, Problems& problems) {
  if (!value.is_array()) {
    refuse(path, value, list, problems);
    return false;
  }
  if (value.size() > kMaxItems) {
    refuse(path, value, message<"a list of at most {most} {items}">(kMaxItems, items), problems);
    return false;
  }
  return true;
}

}  // namespace mantissa::value_io
