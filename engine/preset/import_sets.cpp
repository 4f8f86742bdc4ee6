#include "engine/preset/import_sets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/preset/import_values.h"
#include "engine/preset/schema.h"
#include "engine/preset/value_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr double kMostSetRepeats = 10000;
constexpr std::size_t kMostSets = 256;  ///< that are read: a file may list thousands

/// One folder that is trained on, with the rows that say how.
struct TrainedSet {
  FolderRule rule;
  std::string path;       ///< of the folder, as the file writes it
  bool left_out = false;  ///< there, by its repeats
  std::set<int> sides;    ///< its resolutions; none: unknown
  std::optional<std::size_t> sides_row;
  Message sides_note;  ///< what isn't as there
  std::vector<std::size_t> rows;
  std::vector<std::pair<std::size_t, Message>> notes;  ///< of rows whose value isn't offered
};

std::string_view place_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot == std::string_view::npos ? 0 : dot);
}

/// A key of the set at `place`, else of the one around it, else of the general section. With
/// `general_keys` else of all that is outside of the list; an empty value of the set's counts too.
std::optional<std::size_t> find_of_set(const ImportContext& context, std::string_view place,
                                       std::string_view key, bool general_keys) {
  const auto& entries = context.entries();
  const std::string_view places[] = {place, place_of(place), "general"};
  for (const std::string_view at : places) {
    for (std::size_t i = 0; i < entries.size() && !key.empty() && !at.empty(); ++i) {
      const std::string_view own = place_of(entries[i].path);
      const bool fits = own == at || (at == "general" && own.ends_with(": general"));
      const bool counts = !is_unset(entries[i].value) || (general_keys && own == place);
      if (fits && entries[i].key == key && counts) {
        return i;
      }
    }
  }
  for (std::size_t i = 0; i < entries.size() && general_keys && !key.empty(); ++i) {
    const bool outside = entries[i].path.find('[') == std::string::npos;
    if (outside && entries[i].key == key && !is_unset(entries[i].value)) {
      return i;
    }
  }
  return std::nullopt;
}

/// Takes the sides of `value` that are in the range of data.resolution.
void read_sides(TrainedSet& set, const Json& value, bool lists_sides) {
  const Json read = value.is_string() ? value_from_literal(value.get<std::string>()) : value;
  const auto side_of = [&](const Json& pair) {
    const double width = std::max(as_number(pair[0]).value_or(0), 0.0);
    const double height = std::max(as_number(pair[1]).value_or(0), 0.0);
    if (width != height) {
      set.sides_note = same_area_note(width, height);
    }
    return std::sqrt(width * height);
  };
  std::vector<double> numbers;
  if (!lists_sides && read.is_array() && read.size() == 2) {
    numbers = {side_of(read)};
  } else {
    for (const Json& part : read.is_array() ? read : Json::array({read})) {
      const bool pair = lists_sides && part.is_array() && part.size() == 2;
      numbers.push_back(pair ? side_of(part) : as_number(part).value_or(0));
    }
  }
  const Setting& setting = require_setting("data.resolution");
  for (const double number : numbers) {
    if (number >= setting.min && number <= setting.max) {
      set.sides.insert(static_cast<int>(std::lround(number)));
    }
  }
}

TrainedSet trained_set(const ImportContext& context, const SetKeys& keys,
                       const SourceEntry& folder) {
  TrainedSet set;
  set.path = short_value(folder.value);
  set.rule = {last_folder(set.path), 1};
  const auto value = [&](std::string_view key) -> const Json* {
    const auto at = find_of_set(context, place_of(folder.path), key, keys.general_keys);
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
    if (keys.spaced_prefix && set.rule.prefix.ends_with(' ')) {
      set.rule.prefix.pop_back();
    } else if (keys.spaced_prefix && !set.rule.prefix.empty()) {
      set.notes.emplace_back(set.rows.back(), message<"Followed by a space here.">());
    }
  }
  if (const auto at =
          find_of_set(context, place_of(folder.path), keys.resolution, keys.general_keys)) {
    set.sides_row = *at;
    read_sides(set, context.entries()[*at].value, keys.lists_sides);
  } else if (keys.usual_side > 0) {
    set.sides = {keys.usual_side};
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
    const bool plain =
        at->repeats == 1 && at->weight == 1 && at->prefix.empty() && at->resolution == 0;
    if (!plain && std::find(folders.begin(), at, *at) == at) {
      list.push_back({{"folder", at->folder},
                      {"repeats", at->repeats},
                      {"weight", at->weight},
                      {"prefix", at->prefix}});
      if (at->resolution > 0) {
        list.back()["resolution"] = at->resolution;
      }
    }
  }
  return list;
}

namespace {

/// By folder, the resolutions of its sets together.
using SidesByFolder = std::map<std::string, std::set<int>>;

/// Several resolutions that folders have: the same ones, which become those of all images. Empty if
/// no folder has several; nothing if two folders have different ones.
std::optional<std::set<int>> sides_of_all(const SidesByFolder& by_folder) {
  std::set<int> of_all;
  for (const auto& [folder, sides] : by_folder) {
    if (sides.size() > 1 && !of_all.empty() && sides != of_all) {
      return std::nullopt;
    }
    of_all = sides.size() > 1 ? sides : of_all;
  }
  return of_all;
}

/// The resolutions of several sets that aren't all alike: for all images, and in the rules of
/// folders with another one.
class SetSides {
 public:
  explicit SetSides(std::vector<TrainedSet>& sets) : sets_(sets) {
    const auto alike = [&](const TrainedSet& set) { return set.sides == sets.front().sides; };
    differ_ = sets.size() <= kMostSets && !std::ranges::all_of(sets, alike);
    if (!differ_) {
      return;  // the rules have taken them
    }
    SidesByFolder by_folder;
    for (const TrainedSet& set : sets) {
      if (!set.left_out) {
        by_folder[set.path].insert(set.sides.begin(), set.sides.end());
      }
    }
    const auto unknown = [](const TrainedSet& set) { return !set.left_out && set.sides.empty(); };
    of_all_ = std::ranges::any_of(sets, unknown) ? std::nullopt : sides_of_all(by_folder);
    for (TrainedSet& set : sets) {
      const bool own = of_all_ && !set.left_out && by_folder.at(set.path).size() == 1 &&
                       (!of_all_->empty() || !alike(set));
      set.rule.resolution = own ? *set.sides.begin() : 0;
    }
  }

  /// `ruled`: whether the folders' rules were taken.
  void take(ImportContext& context, bool ruled) const {
    if (!differ_) {
      return;
    }
    const bool taken = ruled && of_all_;
    ImportRow scratch;
    if (taken && !of_all_->empty()) {
      context.take(scratch, "data.resolution", *of_all_->rbegin());
      context.take(scratch, "data.further_resolutions",
                   std::vector<int>(std::next(of_all_->rbegin()), of_all_->rend()));
    }
    for (const TrainedSet& set : sets_) {
      const bool own = set.rule.resolution > 0;
      if (!set.sides_row || set.left_out || (taken && !own && of_all_->empty())) {
        continue;  // its own rule has taken it, or nothing is to be taken
      }
      ImportRow& row = context.row_at(*set.sides_row);
      row.targets = {own ? "data.folders" : "data.further_resolutions"};
      if (!taken) {
        context.change(row, message<"A folder has one resolution here, or those of all images: the "
                                    "first data set's count.">());
      } else if (set.sides_note.empty()) {
        row.fate = ImportFate::mapped;
        row.note = {};
      } else {
        context.change(row, set.sides_note);
      }
    }
  }

 private:
  std::vector<TrainedSet>& sets_;
  bool differ_ = false;
  std::optional<std::set<int>> of_all_;
};

/// Takes the folders' rules, and tells it in their rows.
bool take_rules(ImportContext& context, const std::vector<TrainedSet>& sets) {
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
  return taken;
}

}  // namespace

void finish_sets(ImportContext& context, const SetKeys& keys) {
  std::vector<TrainedSet> sets = trained_sets(context, keys);
  if (sets.empty()) {
    return;
  }
  const SetSides sides(sets);
  const bool plain = std::ranges::all_of(sets, [&](const TrainedSet& set) {
    return set.rule.repeats == sets.front().rule.repeats && set.rule.weight == 1 &&
           set.rule.prefix.empty() && set.left_out == sets.front().left_out &&
           set.rule.resolution == sets.front().rule.resolution;
  });
  // Of plain ones, data.repeats tells it.
  sides.take(context, plain || take_rules(context, sets));
  if (plain) {
    return;
  }
  // After all: sets may share a row of a general section.
  std::set<std::pair<std::size_t, std::string>> told;
  for (const TrainedSet& set : sets) {
    for (const auto& [i, note] : set.notes) {
      ImportRow& row = context.row_at(i);
      if (told.emplace(i, note.text()).second) {
        context.change(row, row.note.empty() ? note : joined<" ">({row.note, note}));
      }
    }
  }
}

}  // namespace mantissa
