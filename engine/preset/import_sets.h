#pragma once
// Other programs' lists of data sets, of which one gives the settings.

#include <cstddef>
#include <optional>
#include <string>
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

/// The last part of a folder's path, of Windows too; data.folders goes by it.
std::string last_folder(std::string path);
/// The nearest whole number of repeats from 1 to 10,000; a change is described in `note`.
int offered_repeats(const std::string& folder, double given, Message& note);
/// Why a folder that its program leaves out, by a number of repeats below 1, has no rule.
Message left_out_there(const std::string& folder, double repeats);
/// The first name of several folders whose figures differ: one name has one rule.
std::optional<std::string> shared_name(const std::vector<FolderRule>& folders);
/// data.folders of these, each name once, without those that need no rule.
nlohmann::json folder_list(const std::vector<FolderRule>& folders);

/// A program's names of what a data set has for itself, as keys of the rules; empty if none.
struct SetKeys {
  std::string_view folder, repeats, prefix, weight, resolution;
  int first_use = 0;  ///< 1 if repeats count further uses alone
  /// Whether a folder with less than one repeat isn't used there.
  bool leaves_out = false;
  /// A list of resolution's values has a side, or width and height, for each use; else it is one
  /// width and height.
  bool lists_sides = false;
  int usual_side = 0;          ///< without a resolution of its own, if that is known
  bool general_keys = false;   ///< keys outside of the list hold for sets that lack them
  bool spaced_prefix = false;  ///< a prefix ends with the space before the caption, if there is one
};

/// Gives each folder of several data sets its own repeats, prefix, weight and resolution
/// (data.folders), or all of them several resolutions; after the rules. Where that can't be, the
/// rows say that the first set's count for all.
void finish_sets(ImportContext& context, const SetKeys& keys);

}  // namespace mantissa
