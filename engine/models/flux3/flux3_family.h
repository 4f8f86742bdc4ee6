#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// FLUX.3 Image klein: Base and what is distilled from it.
extern const Family kFlux3;

}  // namespace mantissa
