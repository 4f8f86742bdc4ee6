#include "engine/preset/import_sets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr double kMostSetRepeats = 10000;
constexpr std::size_t kMostSets = 256;  ///< that are read: a file may list thousands

/// One folder that is trained on, with the rows that say how.
struct TrainedSet {
  std::string folder, prefix;
  int repeats = 1;
  double weight = 1;
  std::vector<std::size_t> rows;
};

std::string_view place_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot == std::string_view::npos ? 0 : dot);
}

/// A key of the set at `place`, else of the one around it, else of the general section.
std::optional<std::size_t> find_of_set(const ImportContext& context, std::string_view place,
                                       std::string_view key) {
  const auto& entries = context.entries();
  const std::string_view places[] = {place, place_of(place), "general"};
  for (const std::string_view at : places) {
    for (std::size_t i = 0; i < entries.size() && !key.empty() && !at.empty(); ++i) {
      const std::string_view own = place_of(entries[i].path);
      const bool fits = own == at || (at == "general" && own.ends_with(": general"));
      if (fits && entries[i].key == key && !is_unset(entries[i].value)) {
        return i;
      }
    }
  }
  return std::nullopt;
}

/// The last part of a path, of Windows too.
std::string folder_name(std::string path) {
  while (!path.empty() && (path.back() == '/' || path.back() == '\\')) {
    path.pop_back();
  }
  return path.substr(path.find_last_of("/\\") + 1);
}

TrainedSet trained_set(const ImportContext& context, const SetKeys& keys,
                       const SourceEntry& folder) {
  TrainedSet set;
  set.folder = folder_name(short_value(folder.value));
  const auto value = [&](std::string_view key) -> const Json* {
    const auto at = find_of_set(context, place_of(folder.path), key);
    if (!at) {
      return nullptr;
    }
    set.rows.push_back(*at);
    return &context.entries()[*at].value;
  };
  if (const Json* repeats = value(keys.repeats)) {
    set.repeats = static_cast<int>(
        std::clamp(std::round(as_number(*repeats).value_or(1 - keys.first_use) + keys.first_use),
                   1.0, kMostSetRepeats));
  }
  if (const Json* weight = value(keys.weight)) {
    set.weight = as_number(*weight).value_or(1);
  }
  if (const Json* prefix = value(keys.prefix); prefix != nullptr && prefix->is_string()) {
    set.prefix = prefix->get<std::string>();
  }
  return set;
}

/// Those of the first process of a job that has several.
std::vector<TrainedSet> trained_sets(const ImportContext& context, const SetKeys& keys) {
  std::vector<TrainedSet> sets;
  for (const SourceEntry& entry : context.entries()) {
    const bool listed = entry.path.find('[') != std::string::npos;
    const bool other =
        entry.path.starts_with("config.process[") && !entry.path.starts_with("config.process[0]");
    if (sets.size() <= kMostSets && entry.key == keys.folder && listed && !other &&
        entry.passed_over.empty() && !is_unset(entry.value)) {
      sets.push_back(trained_set(context, keys, entry));
    }
  }
  return sets;
}

}  // namespace

std::size_t counting_set(const std::vector<JsonNode>& sets,
                         Message (*passed_over)(const JsonNode&)) {
  const auto found =
      std::ranges::find_if(sets, [&](const JsonNode& set) { return passed_over(set).empty(); });
  return found == sets.end() ? 0 : static_cast<std::size_t>(found - sets.begin());
}

bool has_value(const JsonNode& object, std::string_view key) {
  const JsonNode* value = find_member(object, key);
  return value != nullptr && !is_unset(value->value());
}

bool is_on(const JsonNode& object, std::string_view key) {
  const JsonNode* value = find_member(object, key);
  return value != nullptr && !is_off(value->value());
}

void finish_sets(ImportContext& context, const SetKeys& keys) {
  const std::vector<TrainedSet> sets = trained_sets(context, keys);
  const bool plain = std::ranges::all_of(sets, [&](const TrainedSet& set) {
    return set.repeats == sets.front().repeats && set.weight == 1 && set.prefix.empty();
  });
  if (sets.empty() || plain) {
    return;  // data.repeats tells it
  }
  Json folders = Json::array();
  for (const TrainedSet& set : sets) {
    if (set.repeats != 1 || set.weight != 1 || !set.prefix.empty()) {
      folders.push_back({{"folder", set.folder},
                         {"repeats", set.repeats},
                         {"weight", set.weight},
                         {"prefix", set.prefix}});
    }
  }
  ImportRow scratch;
  const bool taken = sets.size() <= kMostSets && context.take(scratch, "data.folders", folders) &&
                     context.take(scratch, "data.repeats", 1);
  for (const TrainedSet& set : sets) {
    for (const std::size_t i : set.rows) {
      ImportRow& row = context.row_at(i);
      if (taken) {
        row.fate = ImportFate::mapped;
        row.note = {};
        row.targets = {"data.folders"};
      } else if (context.entries()[i].superseded_by.empty()) {
        context.change(row, message<"The first data set's counts for all images here; others "
                                    "have other ones.">());
      }
    }
  }
}

}  // namespace mantissa
