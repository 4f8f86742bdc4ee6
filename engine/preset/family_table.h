#pragma once
// Every model family as presets and importers know it, one row each. The rest is in engine/models.

#include <array>
#include <cstddef>
#include <string_view>

namespace mantissa {

enum class ModelFamily { automatic, sdxl, sd15, pixart, z_image, flux2, anima, krea2 };

struct FamilyRow {
  ModelFamily id;
  std::string_view name;  ///< in presets
  bool has_flow = false;  ///< may be a rectified flow, the only kind with a shift
  bool has_vp = false;    ///< may be variance-preserving, with betas
  bool has_clip = false;  ///< CLIP reads its captions
  int text_encoders = 1;  ///< the most it has: te1, te2
};

/// In the order of ModelFamily.
inline constexpr std::array kFamilyRows{
    FamilyRow{.id = ModelFamily::automatic,
              .name = "auto",
              .has_flow = true,
              .has_vp = true,
              .has_clip = true,
              .text_encoders = 2},
    FamilyRow{.id = ModelFamily::sdxl,
              .name = "sdxl",
              .has_vp = true,
              .has_clip = true,
              .text_encoders = 2},
    FamilyRow{.id = ModelFamily::sd15, .name = "sd15", .has_vp = true, .has_clip = true},
    FamilyRow{.id = ModelFamily::pixart, .name = "pixart", .has_vp = true},
    FamilyRow{.id = ModelFamily::z_image, .name = "z_image", .has_flow = true},
    FamilyRow{.id = ModelFamily::flux2, .name = "flux2", .has_flow = true},
    FamilyRow{.id = ModelFamily::anima, .name = "anima", .has_flow = true, .text_encoders = 2},
    FamilyRow{.id = ModelFamily::krea2, .name = "krea2", .has_flow = true},
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
