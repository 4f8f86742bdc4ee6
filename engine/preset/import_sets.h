#pragma once
// Other programs' lists of data sets, of which one gives the settings.

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// Why a data set gives no settings, if another one can.
inline constexpr RuleText kRegularisationSet = words<"Regularisation images.">;
inline constexpr RuleText kVideoSet = words<"Videos.">;
inline constexpr RuleText kDisabledSet = words<"Switched off there.">;

/// The index of the first set that isn't passed over; 0 if all are. `passed_over` gives the reason,
/// empty for a set that counts.
std::size_t counting_set(const std::vector<JsonNode>& sets,
                         Message (*passed_over)(const JsonNode&));

/// Whether an object has a key that is set, or one that is switched on.
bool has_value(const JsonNode& object, std::string_view key);
bool is_on(const JsonNode& object, std::string_view key);

/// A program's names of what a data set has for itself, as keys of the rules; empty if none.
struct SetKeys {
  std::string_view folder, repeats, prefix, weight;
  int first_use = 0;  ///< 1 if repeats count further uses alone
};

/// Gives each folder of several data sets its own repeats, prefix and weight (data.folders); after
/// the rules. Where that can't be, the rows say that the first set's count for all.
void finish_sets(ImportContext& context, const SetKeys& keys);

}  // namespace mantissa
