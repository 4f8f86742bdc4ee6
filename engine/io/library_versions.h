#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mantissa {

/// Names and versions of the libraries that files are read with, as loaded: {"libvips", "8.14.1"}.
std::vector<std::pair<std::string, std::string>> file_library_versions();

}  // namespace mantissa
