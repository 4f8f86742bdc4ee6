#pragma once
// How lists name a model family in a few letters, and which family a preset is for.

#include <string>
#include <string_view>

#include "engine/preset/family_table.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A family, or one generation of it, as lists show it: two or three letters on a shape.
struct FamilyBadge {
  std::string letters;     ///< "XL", "F2"; "?" if the family is unknown
  std::string_view title;  ///< of a generation with a title of its own, else empty
  ModelFamily family = ModelFamily::automatic;  ///< automatic: unknown
};

/// The badge of a key: a family's name in presets, or a generation's ("sd2"). Any other text is an
/// unknown family. A family whose row has no letters gets its name's initials.
FamilyBadge family_badge(std::string_view key);

/// The key of a preset's family; of the generation if one of its tags names that; empty with
/// `auto`.
std::string family_key(const Preset& preset);

}  // namespace mantissa
