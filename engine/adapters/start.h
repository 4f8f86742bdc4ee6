#pragma once

#include <string>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/trained_set.h"
#include "engine/core/message.h"

namespace mantissa {

/// Initialises a finalized trainable set from a trained adapter: the same change of every weight,
/// up to rounding. A module of lower rank keeps fresh values in the rest (with zero B, so without
/// effect); one of higher rank is truncated by its singular values. A DoRA starting from plain LoRA
/// computes its magnitudes. Modules missing in the file start fresh. Returns notices for the user.
/// Throws Error, naming `file`, if the file adapts a module that this set doesn't train, is a DoRA
/// and the set isn't, or has the other axis, and if adapter.init is pissa, whose base weights
/// differ.
std::vector<Message> start_from(TrainedSet& set, const std::vector<AdapterModule>& modules,
                                const std::string& file);
/// Throws the same errors; of a set that need hold no memory.
void require_start(const TrainedSet& set, const std::vector<AdapterModule>& modules,
                   const std::string& file);
/// Returns the same notices and throws the same errors; of a set that need hold no memory.
std::vector<Message> start_notices(const TrainedSet& set, const std::vector<AdapterModule>& modules,
                                   const std::string& file);

}  // namespace mantissa
