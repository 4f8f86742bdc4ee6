#include "engine/plan/card_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "kernels/load.h"

namespace mantissa {
namespace {

constexpr CardSpec kCards[] = {
    {"h200", "H200", 90, 132, 788, 1576, 1576, 394, 67, 4800, 141, 63, 450},
    {"h100", "H100 80GB HBM3", 90, 132, 781, 1562, 1562, 390, 67, 3350, 85, 63, 450},
    {"5090", "RTX 5090", 120, 170, 209.5, 419, 838, 104.8, 104.8, 1792, 32, 63, 63},
    {"5080", "RTX 5080", 120, 84, 112.6, 225.1, 450.2, 56.3, 56.3, 960, 16, 63, 63},
    {"5070ti", "RTX 5070 Ti", 120, 70, 87.9, 175.8, 351.5, 43.9, 43.9, 896, 16, 63, 63},
    {"5070", "RTX 5070", 120, 48, 61.7, 123.5, 246.9, 30.9, 30.9, 672, 12, 63, 63},
    {"4090", "RTX 4090", 89, 128, 165.2, 330.3, 660.6, 82.6, 82.6, 1008, 24, 31.5, 31.5},
    {"4080", "RTX 4080", 89, 76, 97.5, 194.9, 389.9, 48.7, 48.7, 716.8, 16, 31.5, 31.5},
    {"4070", "RTX 4070", 89, 46, 58.3, 116.6, 233.2, 29.1, 29.1, 504, 12, 31.5, 31.5},
    {"4060", "RTX 4060", 89, 24, 30.2, 60.5, 121, 15.1, 15.1, 272, 8, 15.75, 15.75},
    {"3090", "RTX 3090", 86, 82, 71.2, 0, 284.7, 35.6, 35.6, 936, 24, 31.5, 31.5},
    {"3080", "RTX 3080", 86, 68, 59.5, 0, 238.1, 29.8, 29.8, 760, 10, 31.5, 31.5},
    {"3060", "RTX 3060", 86, 28, 25.5, 0, 101.9, 12.7, 12.7, 360, 12, 31.5, 31.5},
};

constexpr CardGeneration kGenerations[] = {
    {75, "RTX 20"}, {80, "A100"},       {86, "RTX 30"},
    {89, "RTX 40"}, {90, "H100, H200"}, {120, "RTX 50"},
};
static_assert(kGenerations[0].capability == kLeastCapability);

}  // namespace

std::span<const CardGeneration> card_generations() {
  return kGenerations;
}

std::span<const CardSpec> card_table() {
  return kCards;
}

const CardSpec& card_by_id(std::string_view id) {
  const auto found = std::ranges::find(kCards, id, &CardSpec::id);
  if (found == std::end(kCards)) {
    std::vector<std::string_view> ids;
    for (const CardSpec& card : kCards) {
      ids.push_back(card.id);
    }
    throw Error(message<"'{card}' is not a card with known rates; expected one of: {cards}">(
        id, fmt::format("{}", fmt::join(ids, ", "))));
  }
  return *found;
}

const CardSpec* card_by_device_name(std::string_view device_name) {
  const auto found = std::ranges::find_if(
      kCards, [&](const CardSpec& card) { return device_name.ends_with(card.name); });
  return found == std::end(kCards) ? nullptr : &*found;
}

}  // namespace mantissa
