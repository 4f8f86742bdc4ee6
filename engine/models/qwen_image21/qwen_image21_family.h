#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// Qwen-Image-2.1, and its Turbo.
extern const Family kQwenImage21;

}  // namespace mantissa
