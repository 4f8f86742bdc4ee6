#pragma once

#include <string>

namespace mantissa {

/// Text of --version, for bug reports: version, commit, compiler and system, libraries. One line
/// each.
std::string version_text();

}  // namespace mantissa
