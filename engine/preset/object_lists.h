#pragma once
// Reads and writes the settings that are lists of objects, each member by its ItemField.

#include <vector>

#include "engine/preset/preset.h"
#include "engine/preset/value_checks.h"

namespace mantissa::value_io {

Json read_value(const std::vector<OptimizerGroup>& value);
Json read_value(const std::vector<SamplePrompt>& value);
Json read_value(const std::vector<FolderRule>& value);
Json read_value(const std::vector<LayerRank>& value);
Json read_value(const std::vector<EmbeddingToken>& value);

void write_value(std::vector<OptimizerGroup>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::vector<SamplePrompt>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::vector<FolderRule>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::vector<LayerRank>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::vector<EmbeddingToken>& out, const Setting& s, const Json& value,
                 Problems& problems);

}  // namespace mantissa::value_io
