#pragma once
// Entries of adapter.ranks as several programs' settings give them.

#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// The largest of adapter.rank, which stands for a LoKr's larger matrix trained whole: it is, up to
/// twice the rank (lokr_factors).
inline constexpr double kMostRank = 1024;
inline constexpr RuleText kWholeNote =
    words<"The largest rank, at which matrices of up to 2048 rows and columns are trained whole.">;

/// An entry for the layers whose path within the denoiser matches a glob.
nlohmann::json rank_entry(std::string_view layers, double rank, double alpha);

/// The alpha that keeps the quotient to the rank of the source where that is beyond the largest
/// here; of the scaling that is chosen.
double alpha_here(const ImportContext& context, double alpha, double rank_there);

/// What an alpha of 0 is in the source.
enum class ZeroAlpha { rank, zero };
/// adapter.alpha, for a rank of `rank_there` in the source.
void take_alpha(ImportContext& context, ImportRow& row, const nlohmann::json& value,
                double rank_there, ZeroAlpha zero);

/// Adds entries for a UNet's convolutions larger than 1x1, which follow those of single blocks.
void add_conv_entries(nlohmann::json& entries, double rank, double alpha);

/// The alpha of convolutions, after their rank, which is `rank_there` in the source; `usual`: that
/// of the other layers. 0 is their rank.
void take_conv_alpha(ImportContext& context, ImportRow& row, const nlohmann::json& value,
                     double usual, double rank_there);

}  // namespace mantissa
