#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// Qwen-Image: the first one and 2512, for images from text, and those that edit.
extern const Family kQwenImage;

}  // namespace mantissa
