#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// FLUX.1: dev, schnell, and models of their network such as Krea dev.
extern const Family kFlux1;

}  // namespace mantissa
