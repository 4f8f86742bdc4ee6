#include "engine/preset/import_sets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "engine/preset/value_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr double kMostSetRepeats = 10000;
constexpr std::size_t kMostSets = 256;  ///< that are read: a file may list thousands

/// One folder that is trained on, with the rows that say how.
struct TrainedSet {
  FolderRule rule;
  bool left_out = false;  ///< there, by its repeats
  std::vector<std::size_t> rows;
  std::vector<std::pair<std::size_t, Message>> notes;  ///< of rows whose value isn't offered
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

TrainedSet trained_set(const ImportContext& context, const SetKeys& keys,
                       const SourceEntry& folder) {
  TrainedSet set;
  set.rule = {last_folder(short_value(folder.value)), 1};
  const auto value = [&](std::string_view key) -> const Json* {
    const auto at = find_of_set(context, place_of(folder.path), key);
    if (!at) {
      return nullptr;
    }
    set.rows.push_back(*at);
    return &context.entries()[*at].value;
  };
  const auto number = [&](std::string_view key) {
    const Json* given = value(key);
    const auto read = given == nullptr ? std::nullopt : as_number(*given);
    if (given != nullptr && !read) {
      set.notes.emplace_back(set.rows.back(), message<"Not taken: not a number.">());
    }
    return read;
  };
  if (const auto repeats = number(keys.repeats)) {
    const double uses = *repeats + keys.first_use;
    set.left_out = keys.leaves_out && uses < 1;
    Message note;
    set.rule.repeats = offered_repeats(set.rule.folder, uses, note);
    if (set.left_out) {
      note = left_out_there(set.rule.folder, *repeats);
    }
    if (!note.empty()) {
      set.notes.emplace_back(set.rows.back(), std::move(note));
    }
  }
  set.rule.weight = number(keys.weight).value_or(1);
  if (const Json* prefix = value(keys.prefix); prefix != nullptr && prefix->is_string()) {
    set.rule.prefix = prefix->get<std::string>();
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

std::string last_folder(std::string path) {
  while (!path.empty() && (path.back() == '/' || path.back() == '\\')) {
    path.pop_back();
  }
  return path.substr(path.find_last_of("/\\") + 1);
}

int offered_repeats(const std::string& folder, double given, Message& note) {
  const double whole = std::clamp(std::round(given), 1.0, kMostSetRepeats);
  if (whole != given) {
    note = message<"{folder}: {given} repeats are not offered here; the nearest is {value}.">(
        folder, short_value(value_io::number_to_json(given)), static_cast<int>(whole));
  }
  return static_cast<int>(whole);
}

Message left_out_there(const std::string& folder, double repeats) {
  return message<"{folder} is left out there, with {given} repeats: don't choose it for a run.">(
      folder, short_value(value_io::number_to_json(repeats)));
}

std::optional<std::string> shared_name(const std::vector<FolderRule>& folders) {
  for (std::size_t i = 0; i < folders.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (folders[k].folder == folders[i].folder && !(folders[k] == folders[i])) {
        return folders[i].folder;
      }
    }
  }
  return std::nullopt;
}

Json folder_list(const std::vector<FolderRule>& folders) {
  Json list = Json::array();
  for (auto at = folders.begin(); at != folders.end(); ++at) {
    const bool plain = at->repeats == 1 && at->weight == 1 && at->prefix.empty();
    if (!plain && std::find(folders.begin(), at, *at) == at) {
      list.push_back({{"folder", at->folder},
                      {"repeats", at->repeats},
                      {"weight", at->weight},
                      {"prefix", at->prefix}});
    }
  }
  return list;
}

void finish_sets(ImportContext& context, const SetKeys& keys) {
  const std::vector<TrainedSet> sets = trained_sets(context, keys);
  const bool plain = std::ranges::all_of(sets, [&](const TrainedSet& set) {
    return set.rule.repeats == sets.front().rule.repeats && set.rule.weight == 1 &&
           set.rule.prefix.empty() && set.left_out == sets.front().left_out;
  });
  if (sets.empty() || plain) {
    return;  // data.repeats tells it
  }
  std::vector<FolderRule> used;
  for (const TrainedSet& set : sets) {
    if (!set.left_out) {
      used.push_back(set.rule);
    }
  }
  ImportRow scratch;
  const bool taken = sets.size() <= kMostSets && !shared_name(used) &&
                     context.take(scratch, "data.folders", folder_list(used)) &&
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
  // After all: sets may share a row of a general section.
  for (const TrainedSet& set : sets) {
    for (const auto& [i, note] : set.notes) {
      ImportRow& row = context.row_at(i);
      context.change(row, row.note.empty() ? note : joined<" ">({row.note, note}));
    }
  }
}

}  // namespace mantissa
