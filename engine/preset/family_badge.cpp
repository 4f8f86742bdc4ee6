#include "engine/preset/family_badge.h"

#include <algorithm>
#include <array>

namespace mantissa {
namespace {

/// Where a family's initials say too little, and generations that share a family.
struct BadgeRow {
  std::string_view key;
  std::string_view letters;
  ModelFamily family;
  std::string_view title;  ///< of a generation
};

constexpr std::array kBadges{
    BadgeRow{.key = "sdxl", .letters = "XL", .family = ModelFamily::sdxl},
    BadgeRow{.key = "sd15", .letters = "1.5", .family = ModelFamily::sd15},
    BadgeRow{.key = "sd2", .letters = "2.x", .family = ModelFamily::sd15, .title = "SD 2.x"},
    BadgeRow{.key = "pixart", .letters = "Px", .family = ModelFamily::pixart},
    BadgeRow{.key = "krea2", .letters = "Kr", .family = ModelFamily::krea2},  // K2 looks like F2
};

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

/// "z_image": "ZI", "flux2": "F2", "anima": "An".
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
  for (const BadgeRow& row : kBadges) {
    if (row.key == key) {
      return {std::string(row.letters), row.title, row.family};
    }
  }
  for (const FamilyRow& row : kFamilyRows) {
    if (row.id != ModelFamily::automatic && row.name == key) {
      return {initials(row.name), {}, row.id};
    }
  }
  return {"?", {}, ModelFamily::automatic};
}

std::string family_key(const Preset& preset) {
  const ModelFamily family = preset.model.family;
  if (family == ModelFamily::automatic) {
    return {};
  }
  const auto generation = std::find_if(kBadges.begin(), kBadges.end(), [&](const BadgeRow& row) {
    return row.family == family && !row.title.empty() &&
           std::find(preset.tags.begin(), preset.tags.end(), row.key) != preset.tags.end();
  });
  return std::string(generation == kBadges.end() ? family_row(family).name : generation->key);
}

}  // namespace mantissa
