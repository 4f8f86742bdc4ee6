#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/philox.h"

namespace mantissa {

/// The comma-separated tags of a caption, trimmed; empty ones are left out. With `weighted`, commas
/// inside ( ) and [ ] don't separate, since "(a, b:1.2)" is one emphasis.
std::vector<std::string> caption_tags(std::string_view caption, bool weighted);

/// The caption with all tags but the first `keep` in a random order, a pure function of the key,
/// joined with ", ". If fewer than two tags could move, the caption itself, byte for byte.
std::string shuffled_caption(const std::string& caption, int keep, bool weighted,
                             const RandomKey& key);

/// Whether shuffled_caption may return anything but the caption itself.
bool can_shuffle(const std::string& caption, int keep, bool weighted);

}  // namespace mantissa
