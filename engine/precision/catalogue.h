#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/precision/catalogue_entry.h"

namespace mantissa {

/// Every entry, in the order of the documentation.
std::span<const CatalogueEntry> catalogue();

/// Null for an id that isn't in the catalogue.
const CatalogueEntry* find_catalogue_entry(std::string_view id);
/// Throws Error if there is none.
const CatalogueEntry& catalogue_entry(std::string_view id);

/// The finding of an entry: its message with `values` filled in, its settings, and the patch from
/// `before` to `conflict.fixed`. An adjustment's `changes` name old and new values.
PrecisionFinding make_finding(const CatalogueEntry& entry, const Preset& before,
                              const Conflict& conflict);

/// Reference of every entry as Markdown.
std::string catalogue_markdown();

}  // namespace mantissa
