#include "engine/preset/family_badge.h"

#include <algorithm>

namespace mantissa {
namespace {

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

/// Those of its words and of a number: "old_net": "ON", "net2": "N2", "nets": "Ne".
std::string initials(std::string_view name) {
  std::string letters;
  bool begins = true;
  for (const char c : name) {
    if (c == '_' || !is_lower(c)) {
      begins = true;
    }
    if (c != '_' && begins) {
      letters += is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
      begins = false;
    }
  }
  if (letters.size() == 1 && name.size() > 1) {
    letters += name[1];
  }
  return letters.substr(0, 3);
}

}  // namespace

FamilyBadge family_badge(std::string_view key) {
  for (const FamilyRow* row : family_rows()) {
    if (row->id.name() == key) {
      return {row->letters.empty() ? initials(key) : std::string(row->letters), {}, row->id};
    }
    for (const FamilyGeneration& generation : row->generations) {
      if (generation.key == key) {
        return {std::string(generation.letters), generation.title, row->id};
      }
    }
  }
  return {"?", {}, ModelFamily::automatic};
}

std::string family_key(const Preset& preset) {
  if (preset.model.family == ModelFamily::automatic) {
    return {};
  }
  const FamilyRow& row = family_row(preset.model.family);
  for (const FamilyGeneration& generation : row.generations) {
    if (std::find(preset.tags.begin(), preset.tags.end(), generation.key) != preset.tags.end()) {
      return std::string(generation.key);
    }
  }
  return std::string(row.id.name());
}

}  // namespace mantissa
