#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// Krea 2: Raw and what is distilled from it.
extern const Family kKrea2;

}  // namespace mantissa
