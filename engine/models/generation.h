#pragma once

#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// The key of a base model in family_badge.h: of its family, or of its generation in that. A part
/// that can't be read is reported by whoever uses it; here the family is then enough.
std::string generation_key(const WeightSource& source);

}  // namespace mantissa
