#pragma once

#include <cstdint>
#include <span>

namespace mantissa {

/// How the next token of a text is chosen.
struct TokenChoice {
  double temperature = 0;  ///< 0: the likeliest; else scores are divided by it
  double top_p = 1;        ///< only of the likeliest that together have this probability
  std::uint64_t seed = 0;
};

/// The token at `position` of a text, by the scores (logits) of each. The same arguments choose the
/// same token.
std::int32_t chosen_token(std::span<const float> scores, const TokenChoice& choice, int position);

}  // namespace mantissa
