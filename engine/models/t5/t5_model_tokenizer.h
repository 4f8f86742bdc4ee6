#pragma once
// The tokenizer of a base model's T5.

#include "engine/io/t5_tokenizer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// The tokenizer in the base model's folder of this text encoder. Throws Error if there is none, or
/// if it knows more pieces than the encoder has `embeddings`.
T5Tokenizer t5_tokenizer(const WeightSource& source, Part part, int embeddings);

/// Throws Error if a tokenizer knows more tokens than its text encoder has embeddings.
void require_vocabulary(int known, int embeddings);

}  // namespace mantissa
