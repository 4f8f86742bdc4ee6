#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/preset/part.h"

namespace mantissa {

/// The part and weight name of a module's path: "te1.x" -> te1, "x.weight".
std::pair<Part, std::string> weight_of_module(std::string_view path);

/// The part and canonical name of a weight's path: "te1.x.bias" -> te1, "x.bias".
std::pair<Part, std::string> part_and_weight(std::string_view path);

}  // namespace mantissa
