#include "engine/preset/object_lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/core/ascii.h"
#include "engine/preset/names.h"
#include "engine/preset/nearest_word.h"
#include "engine/preset/number_text.h"

namespace mantissa::value_io {
namespace {

bool check_objects(const Json& value, const std::string& path, Problems& problems) {
  return check_list(value, path, message<"a list of objects">(), message<"objects">(), problems);
}

/// Unknown and missing members of one object of a list.
bool check_members(const Json& item, const std::string& path, std::span<const ItemField> fields,
                   Problems& problems) {
  if (!item.is_object()) {
    refuse(path, item, message<"an object">(), problems);
    return false;
  }
  const std::size_t before = problems.size();
  std::vector<std::string_view> keys;
  for (const ItemField& field : fields) {
    keys.push_back(field.key);
    if (field.required && !item.contains(field.key)) {
      problems.push_back(
          {path, message<"{key} lacks \"{member}\": {help}">(path, field.key, field.help)});
    }
  }
  for (const auto& [key, unused] : item.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      continue;
    }
    const std::string whole = path + "." + key;
    const std::string_view nearest = nearest_word(key, keys);
    problems.push_back(
        {whole, nearest.empty()
                    ? message<"{key} is not a known key; the keys here are {keys}">(
                          whole, fmt::format("{}", fmt::join(keys, ", ")))
                    : message<"{key} is not a known key; did you mean {near}?">(whole, nearest)});
  }
  return problems.size() == before;
}

const ItemField& field_named(const Setting& s, std::string_view key) {
  return *std::find_if(s.fields.begin(), s.fields.end(),
                       [&](const ItemField& f) { return f.key == key; });
}

/// Reads members of one object by their ItemField.
class ItemReader {
 public:
  ItemReader(const Setting& s, const Json& item, std::string path, Problems& problems)
      : setting_(s), item_(item), path_(std::move(path)), problems_(problems) {}

  template <typename I>
  requires std::is_integral_v<I>
  void read(std::string_view key, I& out) {
    std::int64_t number = 0;
    const ItemField& f = field_named(setting_, key);
    if (item_.contains(key) &&
        check_integer(item_[std::string(key)], name(key), f.min, f.max, number, problems_)) {
      out = static_cast<I>(number);
    }
  }
  void read(std::string_view key, double& out) {
    const ItemField& f = field_named(setting_, key);
    if (item_.contains(key)) {
      check_number(item_[std::string(key)], name(key), f.min, f.max, out, problems_);
    }
  }
  void read(std::string_view key, std::optional<double>& out) {
    if (item_.contains(key)) {
      double number = 0;
      read(key, number);
      out = number;
    }
  }
  void read(std::string_view key, std::string& out) {
    if (item_.contains(key)) {
      check_text(item_[std::string(key)], name(key), setting_.text, out, problems_);
    }
  }
  template <typename E>
  requires std::is_enum_v<E>
  bool read(std::string_view key, E& out) {
    std::size_t index = 0;
    const ItemField& f = field_named(setting_, key);
    if (item_.contains(key) &&
        check_choice(item_[std::string(key)], name(key), f.choices, index, problems_)) {
      out = static_cast<E>(index);
      return true;
    }
    return false;
  }
  bool read(std::string_view key, Part& out) {
    return item_.contains(key) && check_part(item_[std::string(key)], name(key), out, problems_);
  }
  std::string name(std::string_view key) const { return fmt::format("{}.{}", path_, key); }

 private:
  const Setting& setting_;
  const Json& item_;
  std::string path_;
  Problems& problems_;
};

}  // namespace

Json read_value(const std::vector<OptimizerGroup>& value) {
  Json list = Json::array();
  for (const OptimizerGroup& group : value) {
    Json item{{"part", std::string(group.part.name())}};
    if (group.type) {
      item["type"] = std::string(enum_name(*group.type));
    }
    if (group.learning_rate) {
      item["learning_rate"] = number_to_json(*group.learning_rate);
    }
    if (group.weight_decay) {
      item["weight_decay"] = number_to_json(*group.weight_decay);
    }
    list.push_back(std::move(item));
  }
  return list;
}

Json read_value(const std::vector<SamplePrompt>& value) {
  Json list = Json::array();
  for (const SamplePrompt& p : value) {
    list.push_back({{"prompt", p.prompt},
                    {"negative", p.negative},
                    {"seed", p.seed},
                    {"width", p.width},
                    {"height", p.height},
                    {"steps", p.steps},
                    {"guidance", number_to_json(p.guidance)}});
    if (!p.references.empty()) {
      list.back()["references"] = p.references;
    }
  }
  return list;
}

Json read_value(const std::vector<FolderRule>& value) {
  Json list = Json::array();
  for (const FolderRule& rule : value) {
    list.push_back({{"folder", rule.folder},
                    {"repeats", rule.repeats},
                    {"weight", number_to_json(rule.weight)},
                    {"prefix", rule.prefix}});
    if (rule.resolution > 0) {
      list.back()["resolution"] = rule.resolution;
    }
  }
  return list;
}

Json read_value(const std::vector<LayerRank>& value) {
  Json list = Json::array();
  for (const LayerRank& entry : value) {
    list.push_back(
        {{"layers", entry.layers}, {"rank", entry.rank}, {"alpha", number_to_json(entry.alpha)}});
  }
  return list;
}

Json read_value(const std::vector<EmbeddingToken>& value) {
  Json list = Json::array();
  for (const EmbeddingToken& word : value) {
    list.push_back({{"token", word.token},
                    {"vectors", word.vectors},
                    {"init", word.init},
                    {"deviation", number_to_json(word.deviation)}});
  }
  return list;
}

void write_value(std::vector<OptimizerGroup>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!check_objects(value, path, problems)) {
    return;
  }
  std::vector<OptimizerGroup> groups;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_members(value[i], where, s.fields, problems)) {
      continue;
    }
    ItemReader reader(s, value[i], where, problems);
    OptimizerGroup group;
    if (!reader.read("part", group.part)) {
      continue;
    }
    OptimizerType type{};
    if (reader.read("type", type)) {
      group.type = type;
    }
    reader.read("learning_rate", group.learning_rate);
    reader.read("weight_decay", group.weight_decay);
    for (const OptimizerGroup& earlier : groups) {
      if (earlier.part == group.part) {
        problems.push_back(
            {where + ".part",
             message<"{key} is \"{value}\", which already has an entry; give each part one entry">(
                 where + ".part", group.part.name())});
      }
    }
    groups.push_back(group);
  }
  out = std::move(groups);
}

void write_value(std::vector<SamplePrompt>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!check_objects(value, path, problems)) {
    return;
  }
  std::vector<SamplePrompt> prompts;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_members(value[i], where, s.fields, problems)) {
      continue;
    }
    ItemReader reader(s, value[i], where, problems);
    SamplePrompt p;
    reader.read("prompt", p.prompt);
    reader.read("negative", p.negative);
    reader.read("seed", p.seed);
    reader.read("width", p.width);
    reader.read("height", p.height);
    reader.read("steps", p.steps);
    reader.read("guidance", p.guidance);
    reader.read("references", p.references);
    for (const auto& [key, side] : {std::pair{"width", p.width}, std::pair{"height", p.height}}) {
      if (side % 8 != 0) {
        problems.push_back(
            {reader.name(key),
             message<"{key} is {value}; it must be a multiple of 8">(reader.name(key), side)});
      }
    }
    prompts.push_back(std::move(p));
  }
  out = std::move(prompts);
}

void write_value(std::vector<FolderRule>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!check_objects(value, path, problems)) {
    return;
  }
  std::vector<FolderRule> rules;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_members(value[i], where, s.fields, problems)) {
      continue;
    }
    ItemReader reader(s, value[i], where, problems);
    FolderRule rule;
    if (!check_text(value[i].at("folder"), where + ".folder", TextRule::file_stem, rule.folder,
                    problems)) {
      continue;
    }
    reader.read("repeats", rule.repeats);
    reader.read("weight", rule.weight);
    reader.read("prefix", rule.prefix);
    reader.read("resolution", rule.resolution);
    if (std::any_of(rules.begin(), rules.end(),
                    [&](const FolderRule& earlier) { return earlier.folder == rule.folder; })) {
      problems.push_back(
          {where + ".folder",
           message<"{key} is \"{value}\", which already has an entry; give each folder one entry">(
               where + ".folder", rule.folder)});
    }
    rules.push_back(std::move(rule));
  }
  out = std::move(rules);
}

void write_value(std::vector<LayerRank>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!check_objects(value, path, problems)) {
    return;
  }
  std::vector<LayerRank> entries;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_members(value[i], where, s.fields, problems)) {
      continue;
    }
    ItemReader reader(s, value[i], where, problems);
    LayerRank entry;
    if (!check_pattern(value[i].at("layers"), where + ".layers", entry.layers, problems)) {
      continue;
    }
    reader.read("rank", entry.rank);
    reader.read("alpha", entry.alpha);
    if (std::any_of(entries.begin(), entries.end(),
                    [&](const LayerRank& earlier) { return earlier.layers == entry.layers; })) {
      problems.push_back(
          {where + ".layers",
           message<"{key} is \"{value}\", which already has an entry; give each pattern one entry">(
               where + ".layers", entry.layers)});
    }
    entries.push_back(std::move(entry));
  }
  out = std::move(entries);
}

void write_value(std::vector<EmbeddingToken>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!check_objects(value, path, problems)) {
    return;
  }
  std::vector<EmbeddingToken> words;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_members(value[i], where, s.fields, problems)) {
      continue;
    }
    ItemReader reader(s, value[i], where, problems);
    EmbeddingToken word;
    if (!check_text(value[i].at("token"), where + ".token", TextRule::file_stem, word.token,
                    problems)) {
      continue;
    }
    reader.read("vectors", word.vectors);
    reader.read("init", word.init);
    reader.read("deviation", word.deviation);
    const auto same = [&](const EmbeddingToken& earlier) {
      return lower_ascii(earlier.token) == lower_ascii(word.token);
    };
    if (std::any_of(words.begin(), words.end(), same)) {
      problems.push_back(
          {where + ".token",
           message<"{key} is \"{value}\", which already has an entry; give each word one entry">(
               where + ".token", word.token)});
    }
    words.push_back(std::move(word));
  }
  out = std::move(words);
}

}  // namespace mantissa::value_io
