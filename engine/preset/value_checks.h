#pragma once
// Checks of JSON values against what a setting allows: each adds a Problem that names the key, the
// value and what is expected.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/preset/setting.h"

namespace mantissa::value_io {

using Json = nlohmann::json;
using Problems = std::vector<Problem>;

/// Most entries of a list or an object.
inline constexpr std::size_t kMaxItems = 256;

/// The value for a message: short, on one line.
Message shown(const Json& value);
/// Adds that `value` must be `expected`.
void refuse(const std::string& path, const Json& value, const Message& expected,
            Problems& problems);
/// Refuses a word that is none of `choices`, with the nearest of them.
void refuse_word(const std::string& path, const Json& value, const Message& expected,
                 std::span<const std::string_view> choices, Problems& problems);

/// The checks of one scalar. Each returns false after adding a Problem for `path`.
bool check_boolean(const Json& value, const std::string& path, Problems& problems);
bool check_integer(const Json& value, const std::string& path, double min, double max,
                   std::int64_t& out, Problems& problems);
bool check_number(const Json& value, const std::string& path, double min, double max, double& out,
                  Problems& problems);
bool check_choice(const Json& value, const std::string& path,
                  std::span<const std::string_view> choices, std::size_t& out, Problems& problems);
bool check_text(const Json& value, const std::string& path, TextRule rule, std::string& out,
                Problems& problems);
/// One of kPartNames, or another name of the denoiser.
bool check_part(const Json& value, const std::string& path, Part& out, Problems& problems);
/// A module-path pattern of adapter.targets, adapter.ranks or precision.pins.
bool check_pattern(const Json& value, const std::string& path, std::string& out,
                   Problems& problems);
/// A list of at most kMaxItems; `list` is "a list of texts", `items` "texts".
bool check_list(const Json& value, const std::string& path, const Message& list,
                const Message& items, Problems& problems);

}  // namespace mantissa::value_io
