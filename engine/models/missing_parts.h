#pragma once

#include <span>
#include <vector>

#include "engine/core/message.h"
#include "engine/io/weights.h"

namespace mantissa {

/// The parts of its family that a base model's files don't hold, in the family's order.
std::vector<Part> missing_parts(const WeightSource& source);

/// Text encoders whose tokenizer neither ships with the program nor lies in the model's folder.
std::vector<Part> missing_tokenizers(const WeightSource& source);

/// Message that `source` lacks these parts, or which listed file isn't one, and how they are added.
Message without_parts(const WeightSource& source, std::span<const Part> parts);
/// Refusal for want of the tokenizer of a text encoder.
Message without_tokenizer(const WeightSource& source, Part part);

}  // namespace mantissa
