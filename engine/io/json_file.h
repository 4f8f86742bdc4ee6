#pragma once
// defines: parse_json, read_json

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace mantissa {

/// JSON from a stranger: at most 16 MiB and 64 levels deep, no duplicate keys. Throws Error naming
/// `label` and the place.
nlohmann::json parse_json(std::string_view text, const std::string& label);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace mantissa
