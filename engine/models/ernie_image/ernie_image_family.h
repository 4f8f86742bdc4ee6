#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// ERNIE-Image, base and Turbo.
extern const Family kErnieImage;

}  // namespace mantissa
