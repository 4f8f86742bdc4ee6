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
    {"4090", "RTX 4090", 89, 128, 165.2, 330.3, 660.6, 82.6, 82.6, 1008, 24, 31.5, 31.5},
    {"3090", "RTX 3090", 86, 82, 71.2, 0, 284.7, 35.6, 35.6, 936, 24, 31.5, 31.5},
    {"4070", "RTX 4070", 89, 46, 58.3, 116.6, 233.2, 29.1, 29.1, 504, 12, 31.5, 31.5},
    {"4060", "RTX 4060", 89, 24, 30.2, 60.5, 121, 15.1, 15.1, 272, 8, 15.75, 15.75},
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
