#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/run_identity.h"

namespace mantissa {

/// The inputs that a run began with, as its folder records them until the first checkpoint does.
struct BegunInputs {
  RunIdentity identity;
  bool whole = false;  ///< false: only the images, as the other files weren't hashed yet
  std::vector<std::string> accepted;  ///< changes of them that the user accepted
};

/// Its text, with a checksum.
std::string to_text(const BegunInputs& inputs);
/// Throws Error naming `label` and the field that doesn't fit, or reporting a checksum mismatch.
BegunInputs parse_begun_inputs(const std::string& text, const std::string& label);

/// What of `now` can be compared with `begun`: without what it doesn't hold yet.
RunIdentity comparable_with(const BegunInputs& begun, RunIdentity now);

}  // namespace mantissa
