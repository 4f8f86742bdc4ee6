#pragma once

#include "engine/io/bpe_tokenizer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// A Qwen3's tokenizer: of the base model's folder, or where it names none, Qwen's own, which ships
/// with the program. Throws Error if it knows more tokens than the encoder has `embeddings`.
BpeTokenizer qwen3_tokenizer(const WeightSource& source, Part part, std::int64_t embeddings);

/// Throws Error if a tokenizer knows more tokens than its encoder has embeddings.
void check_vocabulary(std::int64_t known, std::int64_t embeddings);

}  // namespace mantissa
