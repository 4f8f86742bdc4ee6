#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What Chroma's files call their tensors.
extern const TransformerNaming kChromaNaming;

}  // namespace mantissa
