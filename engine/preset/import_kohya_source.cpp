#include "engine/preset/import_kohya_source.h"

#include <algorithm>
#include <array>

#include "engine/preset/import_rules.h"
#include "engine/preset/import_sets.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

struct Renamed {
  std::string_view from, to;
};

// A data-set file and a training file name the same things differently.
constexpr std::array<Renamed, 3> kDatasetNames{{{"batch_size", "train_batch_size"},
                                                {"batch_size_per_device", "train_batch_size"},
                                                {"num_repeats", "dataset_repeats"}}};

/// What an adapter's record of its data sets has beside their settings, which can be long.
constexpr std::array<std::string_view, 2> kDatasetStatistics{"tag_frequency", "bucket_info"};
constexpr int kDatasetDepth = 8;  ///< of a list of data sets with their subsets

constexpr std::array<Renamed, 6> kMetadataNames{
    {{"batch_size_per_device", "train_batch_size"},
     {"num_epochs", "max_train_epochs"},
     {"debiased_estimation", "debiased_estimation_loss"},
     {"optimizer", "optimizer_type"},
     {"base_model_version", "base_model_version"},
     {"sd_model_name", "pretrained_model_name_or_path"}}};

template <std::size_t N>
std::string renamed(const std::array<Renamed, N>& names, const std::string& key) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const Renamed& r) { return r.from == key; });
  return found == names.end() ? key : std::string(found->to);
}

constexpr std::string_view kMoreOptions = "additional_parameters";

bool holds_arguments(const std::string& key) {
  return key == "network_args" || key == "optimizer_args" || key == "lr_scheduler_args";
}

class Collector {
 public:
  std::vector<SourceEntry> entries;

  void add(const std::string& path, const std::string& key, Json value, int line) {
    if (!holds_arguments(key) || is_unset(value)) {
      entries.push_back({path, key, std::move(value), line});
      return;
    }
    if (value.is_object()) {
      // In an adapter's metadata they are an object.
      for (auto& [name, inner] : value.items()) {
        entries.push_back({path + "." + name, key + "." + name, text_value(inner), line});
      }
      return;
    }
    for (auto& [name, inner] : split_arguments(value)) {
      const std::string full = name.empty() ? "" : "." + name;
      entries.push_back({path + full, key + full, std::move(inner), line});
    }
  }

  /// A section, which is dissolved: its keys count by their own names. sd-scripts doesn't look into
  /// sections within it; those of a graphical program, which writes them for it, do count.
  void add_section(const JsonNode& section, const std::string& path, bool general) {
    for (const JsonNode::Member& m : section.members) {
      const std::string place = path + m.key;
      if (m.key == "datasets" && m.node.is_array) {
        add_datasets(m.node.items, place);
      } else if (m.node.is_object && !m.node.members.empty() && !path.empty() &&
                 !is_section_of_gui(m.key) && !holds_arguments(m.key)) {
        add_unread(m.node, place);
      } else if (m.node.is_object && !m.node.members.empty() && !holds_arguments(m.key)) {
        add_section(m.node, place + ".", m.key == "general");
      } else {
        add(place, general ? renamed(kDatasetNames, m.key) : m.key, m.node.value(), m.line);
      }
    }
  }

  /// A list of data sets or of one's subsets, of which the first one counts that isn't passed over,
  /// unless `other` counts before them.
  void add_datasets(const std::vector<JsonNode>& sets, const std::string& place,
                    const std::string& other = "", const Message& why = {}) {
    const std::size_t counting = counting_set(sets, passed_over);
    const auto name = [&](std::size_t i) { return place + "[" + std::to_string(i) + "]"; };
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const bool counts = i == counting && other.empty();
      add_dataset(sets[i], name(i),
                  counts          ? ""
                  : other.empty() ? name(counting)
                                  : other,
                  counts         ? Message()
                  : !why.empty() ? why
                                 : passed_over(sets[i]));
    }
  }

  /// All of one data set or subset; `first` is the one that counts in its place, if any.
  void add_dataset(const JsonNode& table, const std::string& path, const std::string& first,
                   const Message& why) {
    for (const JsonNode::Member& m : table.members) {
      const std::string place = path + "." + m.key;
      if (m.key == "subsets" && m.node.is_array) {
        add_datasets(m.node.items, place, first, why);
        continue;
      }
      add(place, renamed(kDatasetNames, m.key), m.node.value(), m.line);
      if (!first.empty()) {
        entries.back().superseded_by = first;
        entries.back().passed_over = why;
      }
    }
  }

  /// The options that kohya_ss adds at the end of its command, which count before its own.
  void add_options() {
    const auto given = std::ranges::find(entries, kMoreOptions, &SourceEntry::key);
    if (given == entries.end() || !given->value.is_string() || is_unset(given->value)) {
      return;
    }
    const SourceEntry row = *given;
    for (auto& [name, value] : split_options(row.value.get_ref<const std::string&>())) {
      add(row.path + "." + name, name, std::move(value), row.line);
    }
  }

 private:
  /// LoRA_Easy_Training_Scripts has one for a script and one for its data within each section.
  static bool is_section_of_gui(std::string_view name) {
    return name == "args" || name == "dataset_args";
  }
  /// Keys with names that no rule knows.
  void add_unread(const JsonNode& section, const std::string& path) {
    for (SourceEntry& entry : flatten_tree(section)) {
      entry.path = path + "." + entry.path;
      entry.key = entry.path;
      entry.passed_over = message<"In a section within another one, which is not read there.">();
      entries.push_back(std::move(entry));
    }
  }

  /// Videos, or regularisation images, which may be all subsets.
  static Message passed_over(const JsonNode& set) {
    const JsonNode* subsets = find_member(set, "subsets");
    const bool videos = has_value(set, "video_directory") || has_value(set, "video_jsonl_file");
    const bool only = subsets != nullptr && !subsets->items.empty() &&
                      std::ranges::all_of(subsets->items, is_regularisation);
    return videos                           ? kVideoSet.said()
           : is_regularisation(set) || only ? kRegularisationSet.said()
                                            : Message();
  }
  static bool is_regularisation(const JsonNode& set) { return is_on(set, "is_reg"); }
  static Json text_value(const Json& value) {
    return value.is_string() ? value_from_literal(value.get_ref<const std::string&>()) : value;
  }
};

/// The last of equal keys wins, as in sd-scripts, which merges sections in order. A subset's value
/// overrides its data set's, and that the general one.
void settle(std::vector<SourceEntry>& entries) {
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].superseded_by.empty()) {
      const auto [at, is_new] = last.emplace(entries[i].key, i);
      if (!is_new) {
        entries[at->second].superseded_by = entries[i].path;
        at->second = i;
      }
    }
  }
}

/// The data sets of an adapter's record, as those of a configuration; false if it can't be read.
bool add_datasets(Collector& out, const std::string& name, const std::string& text) {
  JsonNode list;
  std::vector<LineProblem> problems;
  if (!parse_json_text(text, list, problems) || !list.is_array || list.items.empty()) {
    return false;
  }
  out.add_datasets(list.items, name);
  for (SourceEntry& entry : out.entries) {
    entry.line = 0;  // metadata has none
  }
  return true;
}

}  // namespace

std::string without_statistics(const std::string& datasets) {
  // Left out while parsing: what remains is held to the limits of a preset.
  const auto wanted = [](int depth, Json::parse_event_t event, Json& parsed) {
    return depth <= kDatasetDepth &&
           (event != Json::parse_event_t::key ||
            std::ranges::find(kDatasetStatistics, parsed.get<std::string>()) ==
                kDatasetStatistics.end());
  };
  const Json list = Json::parse(datasets, wanted, /*allow_exceptions=*/false);
  return !list.is_array() ? datasets : list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<SourceEntry> kohya_entries(const JsonNode& root) {
  Collector out;
  out.add_section(root, "", false);
  out.add_options();
  settle(out.entries);
  return std::move(out.entries);
}

void add_dataset_file(std::vector<SourceEntry>& entries, const JsonNode& root,
                      const std::string& name) {
  for (SourceEntry& entry : kohya_entries(root)) {
    entry.path = name + ": " + entry.path;
    if (!entry.superseded_by.empty()) {
      entry.superseded_by = name + ": " + entry.superseded_by;
    }
    entries.push_back(std::move(entry));
  }
  settle(entries);
}

bool read_dataset_file(std::vector<SourceEntry>& entries, const FileBeside& beside) {
  const auto found = std::find_if(entries.begin(), entries.end(), [](const SourceEntry& e) {
    return e.key == "dataset_config" && e.superseded_by.empty() && e.value.is_string();
  });
  if (!beside || found == entries.end()) {
    return false;
  }
  const std::string path = found->value.get<std::string>();
  const std::string name = path.substr(path.find_last_of("/\\") + 1);
  const std::optional<std::string> text = name.empty() ? std::nullopt : beside(name);
  JsonNode root;
  std::vector<LineProblem> problems;
  const bool is_json = name.ends_with(".json");
  if (!text ||
      !(is_json ? parse_json_text(*text, root, problems)
                : parse_toml_text(*text, root, problems)) ||
      !problems.empty() || !root.is_object) {
    return false;
  }
  add_dataset_file(entries, root, name);
  return true;
}

std::vector<SourceEntry> kohya_metadata_entries(
    const std::map<std::string, std::string>& metadata) {
  Collector out;
  for (const auto& [name, text] : metadata) {
    if (name.rfind("ss_", 0) != 0) {
      continue;
    }
    const std::string key = renamed(kMetadataNames, name.substr(3));
    if (key == "datasets" && add_datasets(out, name, text)) {
      continue;
    }
    Json value = value_from_literal(text);
    if (holds_arguments(key)) {
      const Json object = parse_or_discard(text);
      value = object.is_object() ? object : value;
    } else if (key == "optimizer_type" && value.is_string()) {
      // "bitsandbytes.optim.adamw.AdamW8bit(weight_decay=0.1,betas=(0.9, 0.99))"
      const std::size_t open = text.find('(');
      const std::string type = text.substr(0, open);
      out.add(name, key, type.substr(type.rfind('.') + 1), 0);
      if (open != std::string::npos && text.back() == ')') {
        std::string inside = text.substr(open + 1, text.size() - open - 2);
        int depth = 0;
        for (char& c : inside) {
          depth += (c == '(' || c == '[') - (c == ')' || c == ']');
          c = c == ',' && depth == 0 ? ' ' : c;
        }
        out.add(name, "optimizer_args", inside, 0);
      }
      continue;
    }
    out.add(name, key, std::move(value), 0);
  }
  settle(out.entries);
  return std::move(out.entries);
}

}  // namespace mantissa
