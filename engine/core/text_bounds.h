#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

enum class TextForm { json, toml, yaml };

/// Limits of a text from elsewhere. Parsers of other people's call themselves for every level, or
/// look through all of what they have for every value.
struct TextBounds {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  int depth = 64;  ///< of brackets, and of the parts of a dotted key
  std::size_t values = std::numeric_limits<std::size_t>::max();
};

/// A bound that is broken: which, and on which line.
struct BrokenBound {
  int line = 1;
  Message message;
};

/// The first bound that a text breaks, before any parser reads it; nothing if it is within them. In
/// one pass, with a fixed amount of memory; texts that aren't valid are measured too. Of YAML,
/// whose parser returns to its caller at every level, only what one line nests is measured.
std::optional<BrokenBound> broken_bound(std::string_view text, TextForm form,
                                        const TextBounds& bounds);

}  // namespace mantissa
