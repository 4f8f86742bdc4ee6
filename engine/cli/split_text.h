#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/plan/card_split.h"

namespace mantissa {

/// The split of a run over cards, and weight streaming beside it, for people and as an event.
void print_split(std::ostream& out, const CardSplit& split);
nlohmann::ordered_json split_event(const CardSplit& split);

}  // namespace mantissa
