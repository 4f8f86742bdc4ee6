#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// PixArt-alpha and PixArt-Sigma.
extern const Family kPixart;

}  // namespace mantissa
