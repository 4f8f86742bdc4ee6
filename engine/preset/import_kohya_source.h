#pragma once
// Kohya's configurations as flat lists.

#include <map>
#include <string>
#include <vector>

#include "engine/preset/import_source.h"

namespace mantissa {

/// Sections are dissolved as sd-scripts does it, arguments given as "name=value" appear as
/// "network_args.name", and of several data sets the first one counts.
std::vector<SourceEntry> kohya_entries(const JsonNode& root);

/// ss_network_dim as network_dim, with text turned back into values.
std::vector<SourceEntry> kohya_metadata_entries(const std::map<std::string, std::string>& metadata);

}  // namespace mantissa
