#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

/// Untrusted JSON: at most 16 MiB and 64 levels deep, no duplicate keys. Throws Error naming
/// `label` (text or a Message) and the position.
nlohmann::json parse_json(std::string_view text, const Message& label);
template <typename Label>
nlohmann::json parse_json(std::string_view text, const Label& label) {
  return parse_json(text, message_value(label));
}
/// Parses a value within a file: discarded, where it would be an Error.
nlohmann::json parse_json_or_discard(std::string_view text);
nlohmann::json read_json(const std::filesystem::path& path);
/// Reads Python's dialect, which has three extra numbers: Infinity, -Infinity and NaN become
/// strings. diffusers saves them in scheduler_config.json.
nlohmann::json read_python_json(const std::filesystem::path& path);

}  // namespace mantissa
