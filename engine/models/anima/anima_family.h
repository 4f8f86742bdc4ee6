#pragma once

#include "engine/io/family.h"

namespace mantissa {

/// Anima: Cosmos-Predict2 with the text of Qwen3-0.6B.
extern const Family kAnima;

}  // namespace mantissa
