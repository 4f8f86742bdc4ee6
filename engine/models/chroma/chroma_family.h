#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// Chroma1: Base, HD and Flash, made from FLUX.1 schnell.
extern const Family kChroma;

}  // namespace mantissa
