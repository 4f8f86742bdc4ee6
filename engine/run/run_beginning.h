#pragma once

#include <string>

#include "engine/store/reader.h"

namespace mantissa {

/// Throws Error naming the newest of them if the ids of several runs begin with `beginning`.
void refuse_several(RunReader& reader, const std::string& beginning);

}  // namespace mantissa
