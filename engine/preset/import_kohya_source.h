#pragma once
// Kohya's configurations as flat lists.

#include <map>
#include <string>
#include <vector>

#include "engine/preset/import_result.h"
#include "engine/preset/import_source.h"

namespace mantissa {

/// Sections are dissolved as sd-scripts does it, arguments given as "name=value" appear as
/// "network_args.name", and of several data sets the first one counts.
std::vector<SourceEntry> kohya_entries(const JsonNode& root);

/// Adds what a file of data sets says, which counts before the training's own; `name` is the
/// file's.
void add_dataset_file(std::vector<SourceEntry>& entries, const JsonNode& root,
                      const std::string& name);

/// Adds the file that dataset_config names, of TOML or JSON, if it lies beside; false if it doesn't
/// or can't be read.
bool read_dataset_file(std::vector<SourceEntry>& entries, const FileBeside& beside);

/// Gives keys that kohya_ss saves for one model's script the names that this script knows; those of
/// other scripts are passed over.
void name_script_keys(std::vector<SourceEntry>& entries);

/// The ss_datasets of an adapter without its counts of tags and buckets, which can be long.
std::string without_statistics(const std::string& datasets);

/// ss_network_dim as network_dim, with text turned back into values.
std::vector<SourceEntry> kohya_metadata_entries(const std::map<std::string, std::string>& metadata);

}  // namespace mantissa
