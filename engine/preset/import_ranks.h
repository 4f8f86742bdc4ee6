#pragma once
// Entries of adapter.ranks as several programs' settings give them.

#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// The largest of adapter.rank, at which the larger matrix of LoKr is whole.
inline constexpr double kMostRank = 1024;

/// An entry for the layers whose path within the denoiser matches a glob.
nlohmann::json rank_entry(std::string_view layers, double rank, double alpha);

/// Adds entries for a UNet's convolutions larger than 1x1, which follow those of single blocks.
void add_conv_entries(nlohmann::json& entries, double rank, double alpha);

/// The alpha of convolutions, after their rank; `usual`: that of the other layers.
void take_conv_alpha(ImportContext& context, ImportRow& row, const nlohmann::json& value,
                     double usual);

}  // namespace mantissa
