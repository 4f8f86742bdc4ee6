#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/io/image.h"

namespace mantissa {

/// Images to compare: a row for each prompt, a column for each checkpoint or strength.
struct SampleTable {
  std::vector<std::string> rows, columns;  ///< their labels
  std::vector<Image> images;               ///< all of one size, column after column
};

/// One PNG with the labels above the columns and before the rows, and these text chunks. Needs a
/// live ImageLibrary.
void write_sample_table(const std::filesystem::path& file, const SampleTable& table,
                        const std::map<std::string, std::string>& text);

}  // namespace mantissa
