#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// SDXL; SD 1.5 and 2.x.
extern const Family kSdxl, kSd15;

}  // namespace mantissa
