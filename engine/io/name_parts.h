#pragma once
// Parsing of weight names.

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace mantissa {

// Removes a leading "<prefix>" from `text`; false and unchanged if absent.
inline bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

// Removes a leading "<number>." (or a final "<number>"). Numbers have no leading zeros.
inline std::optional<int> take_index(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || digits == 0 || value < 0 || text[0] == '-' ||
      (digits > 1 && text[0] == '0')) {
    return std::nullopt;
  }
  if (digits < text.size()) {
    if (text[digits] != '.') {
      return std::nullopt;
    }
    text.remove_prefix(digits + 1);
  } else {
    text = {};
  }
  return value;
}

using NamePair = std::pair<std::string_view, std::string_view>;

// Replaces the leading module name by its counterpart: `from` and `to` are .first/.second or
// reversed.
inline std::optional<std::string> rename_head(std::string_view name,
                                              std::span<const NamePair> table, bool forward) {
  for (const auto& [ldm, diffusers] : table) {
    const std::string_view from = forward ? ldm : diffusers;
    const std::string_view to = forward ? diffusers : ldm;
    if (name == from) {
      return std::string(to);
    }
    if (name.starts_with(from) && name[from.size()] == '.') {
      return std::string(to) + std::string(name.substr(from.size()));
    }
  }
  return std::nullopt;
}

// Names inside a transformer block are the same in both layouts.
inline std::optional<std::string> joined(std::string head, std::optional<std::string> tail) {
  if (!tail || tail->empty()) {
    return std::nullopt;
  }
  return std::move(head) + "." + *tail;
}

inline std::optional<std::string> same(std::string_view tail) {
  return tail.empty() ? std::nullopt : std::optional<std::string>(tail);
}

}  // namespace mantissa
