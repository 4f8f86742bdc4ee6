#pragma once

#include <string>
#include <vector>

#include "engine/adapters/adapter_set.h"
#include "engine/core/message.h"

namespace mantissa {

/// Gives a finalized trainable set the values of an adapter that was trained before, as its start:
/// the same change of every weight, to rounding. A module whose rank is lower keeps fresh values in
/// the rest (with zero B, so that they change nothing yet); one whose rank is higher is cut by its
/// singular values. Plain LoRA starts a DoRA with the magnitudes it has then. Modules that the file
/// lacks start fresh. Returns what the user must know. Throws Error, naming `file`, where the file
/// adapts a module that this set doesn't train, is a DoRA and the set isn't, or has the other axis,
/// and where adapter.init is pissa, whose base weights are others.
std::vector<Message> start_from(AdapterSet& set, const std::vector<LoraModule>& modules,
                                const std::string& file);

}  // namespace mantissa
