#pragma once

#include <string>

#include "engine/preset/preset.h"

namespace mantissa {

/// The caption on which a run preserves the base model's prediction, for one that it trains: with
/// the class word in place of the trigger word, as a whole word and whatever its case in ASCII, or
/// an empty one. The caption itself if it lacks the trigger word: nothing is preserved then.
std::string preserved_caption(const Preset::Training& training, const std::string& caption);

}  // namespace mantissa
