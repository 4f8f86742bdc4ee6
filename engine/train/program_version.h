#pragma once

#include <string>

namespace mantissa {

/// This program's version with the commit that it was built from: "0.1.0 (1a2b3c4d5e)"; a "+" after
/// the commit if files differ from it, the version alone if it isn't known.
std::string program_version();

}  // namespace mantissa
