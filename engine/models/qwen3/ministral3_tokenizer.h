#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/io/bpe_tokenizer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// The tokenizer of a Ministral 3, from the base model's folder: none ships with the program.
/// Throws Error without one, and as check_vocabulary.
BpeTokenizer ministral3_tokenizer(const WeightSource& source, Part part, std::int64_t embeddings);

/// The ids of a text behind the token "<s>". Throws Error if the tokenizer has no such token.
std::vector<std::int32_t> ministral3_ids(const BpeTokenizer& tokenizer, std::string_view text);

}  // namespace mantissa
