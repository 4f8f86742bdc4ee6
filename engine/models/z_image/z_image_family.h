#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// Z-Image, base and Turbo.
extern const Family kZImage;

}  // namespace mantissa
