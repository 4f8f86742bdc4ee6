#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// FLUX.2 klein, 4B and 9B, base and distilled.
extern const Family kFlux2;

}  // namespace mantissa
