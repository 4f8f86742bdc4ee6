#include "engine/io/weights_licence.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostBytes = 64 << 10;  ///< of a model card or licence that are looked at
constexpr std::size_t kLongestName = 120;

/// The beginning of a file; empty if it can't be read.
std::string beginning_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string_view without_marks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Removes and returns the first line.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return without_marks(line);
}

/// The value of a line "key: value" without its quotes; nothing for other keys.
std::optional<std::string> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || !line.substr(key.size()).starts_with(':')) {
    return std::nullopt;
  }
  std::string_view value = without_marks(line.substr(key.size() + 1));
  for (const char quote : {'"', '\''}) {
    if (value.size() > 1 && value.front() == quote && value.back() == quote) {
      value = value.substr(1, value.size() - 2);
    }
  }
  return std::string(value);
}

std::optional<WeightsLicence> of_card(const fs::path& folder) {
  const std::string text = beginning_of(folder / "README.md");
  std::string_view rest = text;
  if (take_line(rest) != "---") {
    return std::nullopt;
  }
  WeightsLicence found{.source = "README.md"};
  std::string kind;
  for (bool open = true; open && !rest.empty();) {
    const std::string_view line = take_line(rest);
    open = line != "---";
    if (const auto value = value_of(line, "license")) {
      kind = *value;
    } else if (const auto name = value_of(line, "license_name")) {
      found.name = *name;
    } else if (const auto link = value_of(line, "license_link")) {
      found.link = *link;
    }
  }
  // Model cards say "other" beside a name of their own.
  if (found.name.empty() || (!kind.empty() && kind != "other")) {
    found.name = kind;
  }
  return found.name.empty() ? std::nullopt : std::optional(found);
}

std::optional<WeightsLicence> of_licence_file(const fs::path& folder) {
  for (const char* name : {"LICENSE", "LICENSE.md", "LICENSE.txt"}) {
    const std::string text = beginning_of(folder / name);
    std::string_view rest = text;
    while (!rest.empty()) {
      std::string_view line = take_line(rest);
      line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
      if (!line.empty()) {
        return WeightsLicence{.name = std::string(line.substr(0, kLongestName)), .source = name};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<WeightsLicence> licence_of(const std::map<std::string, std::string>& metadata) {
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : std::string(without_marks(found->second));
  };
  for (const auto& [name, link] : {std::pair{"modelspec.license", "modelspec.license_link"},
                                   std::pair{"license", "license_link"},
                                   std::pair{"general.license.name", "general.license.link"},
                                   std::pair{"general.license", "general.license.link"}}) {
    if (!value(name).empty()) {
      return WeightsLicence{value(name), value(link), "metadata"};
    }
  }
  return std::nullopt;
}

std::optional<WeightsLicence> licence_in(const fs::path& folder) {
  const auto card = of_card(folder);
  return card ? card : of_licence_file(folder);
}

}  // namespace mantissa
