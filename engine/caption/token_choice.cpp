#include "engine/caption/token_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/core/random.h"

namespace mantissa {
namespace {

/// Uniform in [0, 1).
double drawn(std::uint64_t seed, int position) {
  const auto step = static_cast<std::uint64_t>(position);
  const auto words = random_block(random_key(seed, RandomStream::captions, step), 0);
  return (static_cast<double>(words[0]) + static_cast<double>(words[1]) * 0x1p-32) * 0x1p-32;
}

}  // namespace

std::int32_t chosen_token(std::span<const float> scores, const TokenChoice& choice, int position) {
  const auto best = std::ranges::max_element(scores);
  if (choice.temperature <= 0) {
    return static_cast<std::int32_t>(best - scores.begin());
  }
  std::vector<double> shares;
  shares.reserve(scores.size());
  for (const float score : scores) {
    shares.push_back(std::exp((static_cast<double>(score) - *best) / choice.temperature));
  }
  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  double kept = 0;
  std::size_t count = 0;
  while (count < order.size() && (count == 0 || kept < choice.top_p * all)) {
    kept += shares[static_cast<std::size_t>(order[count++])];
  }
  double left = drawn(choice.seed, position) * kept;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    left -= shares[static_cast<std::size_t>(order[i])];
    if (left < 0) {
      return order[i];
    }
  }
  return order[count - 1];
}

}  // namespace mantissa
