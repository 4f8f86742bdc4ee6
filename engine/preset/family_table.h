#pragma once
// Every model family as presets and importers know it, one row each. The rest is in engine/models.

#include <array>
#include <cstddef>
#include <string_view>

namespace mantissa {

enum class ModelFamily { automatic, sdxl, sd15, pixart, z_image };

struct FamilyRow {
  ModelFamily id;
  std::string_view name;  ///< in presets
  bool has_flow = false;  ///< may be a rectified flow, the only kind with a shift
};

/// In the order of ModelFamily.
inline constexpr std::array kFamilyRows{
    FamilyRow{.id = ModelFamily::automatic, .name = "auto", .has_flow = true},
    FamilyRow{.id = ModelFamily::sdxl, .name = "sdxl"},
    FamilyRow{.id = ModelFamily::sd15, .name = "sd15"},
    FamilyRow{.id = ModelFamily::pixart, .name = "pixart"},
    FamilyRow{.id = ModelFamily::z_image, .name = "z_image", .has_flow = true},
};

constexpr const FamilyRow& family_row(ModelFamily id) {
  return kFamilyRows[static_cast<std::size_t>(id)];
}

/// As presets spell them.
inline constexpr auto kFamilyNames = [] {
  std::array<std::string_view, kFamilyRows.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kFamilyRows[i].name;
  }
  return names;
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < kFamilyRows.size(); ++i) {
        if (static_cast<std::size_t>(kFamilyRows[i].id) != i) {
          return false;
        }
      }
      return true;
    }(),
    "a row for each ModelFamily, in its order");

}  // namespace mantissa
