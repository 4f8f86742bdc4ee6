// The checks and the list kinds declared in value_io.h.

#include "engine/preset/value_io.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/ascii.h"
#include "engine/preset/nearest_word.h"
#include "engine/preset/text_rules.h"

namespace mantissa::value_io {
namespace {

constexpr std::size_t kMaxItems = 256;

/// The value for a message: short, on one line.
Message shown(const Json& value) {
  if (value.is_object()) {
    return message<"an object">();
  }
  if (value.is_array()) {
    return message<"a list of {count}">(value.size());
  }
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) {
    std::size_t end = 56;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
      --end;
    }
    text.resize(end);
    text += "…\"";
  }
  return Message::verbatim(text);
}

void refuse(const std::string& path, const Json& value, const Message& expected,
            Problems& problems) {
  problems.push_back(
      {path, message<"{key} is {value}; it must be {expected}">(path, shown(value), expected)});
}

/// Refuses a word that is none of `choices`, with the nearest of them.
void refuse_word(const std::string& path, const Json& value, const Message& expected,
                 std::span<const std::string_view> choices, Problems& problems) {
  const std::string_view nearest =
      value.is_string() ? nearest_word(value.get_ref<const std::string&>(), choices) : "";
  if (nearest.empty()) {
    refuse(path, value, expected, problems);
    return;
  }
  problems.push_back(
      {path, message<"{key} is {value}; it must be {expected}; did you mean {near}?">(
                 path, shown(value), expected, nearest)});
}

std::string join(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// `list` is "a list of texts", `items` "texts".
bool check_list(const Json& value, const std::string& path, const Message& list,
                const Message& items, Problems& problems) {
  if (!value.is_array()) {
    refuse(path, value, list, problems);
    return false;
  }
  if (value.size() > kMaxItems) {
    refuse(path, value, message<"a list of at most {most} {items}">(kMaxItems, items), problems);
    return false;
  }
  return true;
}

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
        {whole,
         nearest.empty()
             ? message<"{key} is not a known key; the keys here are {keys}">(whole, join(keys))
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

bool check_boolean(const Json& value, const std::string& path, Problems& problems) {
  if (!value.is_boolean()) {
    refuse(path, value, message<"true or false">(), problems);
    return false;
  }
  return true;
}

bool check_integer(const Json& value, const std::string& path, double min, double max,
                   std::int64_t& out, Problems& problems) {
  const double number = value.is_number() ? value.get<double>() : 0;
  // 1e3 is an integer too; bounds are below 2^53, so the double comparison is exact.
  if (!value.is_number() || number != std::floor(number) || !(number >= min && number <= max)) {
    refuse(path, value, whole_number(min, max), problems);
    return false;
  }
  out = value.is_number_float() ? static_cast<std::int64_t>(number) : value.get<std::int64_t>();
  return true;
}

bool check_number(const Json& value, const std::string& path, double min, double max, double& out,
                  Problems& problems) {
  const double number = value.is_number() ? value.get<double>() : 0;
  if (!value.is_number() || !(number >= min && number <= max)) {
    refuse(path, value,
           message<"a number from {least} to {most}">(number_to_json(min).dump(),
                                                      number_to_json(max).dump()),
           problems);
    return false;
  }
  out = number + 0.0;  // -0 becomes 0
  return true;
}

bool check_choice(const Json& value, const std::string& path,
                  std::span<const std::string_view> choices, std::size_t& out, Problems& problems) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found != choices.end()) {
      out = static_cast<std::size_t>(found - choices.begin());
      return true;
    }
  }
  refuse_word(path, value, message<"one of {choices}">(join(choices)), choices, problems);
  return false;
}

bool check_part(const Json& value, const std::string& path, Part& out, Problems& problems) {
  if (value.is_string() && value.get_ref<const std::string&>().size() <= Part::kLongest) {
    const Part part = part_called(value.get_ref<const std::string&>());
    if (std::find(kPartNames.begin(), kPartNames.end(), part.name()) != kPartNames.end()) {
      out = part;
      return true;
    }
  }
  refuse_word(path, value, message<"one of {choices}">(join(kPartNames)), kPartNames, problems);
  return false;
}

bool check_text(const Json& value, const std::string& path, TextRule rule, std::string& out,
                Problems& problems) {
  if (!value.is_string()) {
    refuse(path, value, message<"text in quotes">(), problems);
    return false;
  }
  const std::string& text = value.get_ref<const std::string&>();
  const Message reason = text_refusal(text, rule);
  if (!reason.empty()) {
    problems.push_back(
        {path, message<"{key} is {value}, which {reason}">(path, shown(value), reason)});
    return false;
  }
  out = text;
  return true;
}

bool check_pattern(const Json& value, const std::string& path, std::string& out,
                   Problems& problems) {
  if (!value.is_string() || !is_module_pattern(value.get_ref<const std::string&>())) {
    refuse(path, value,
           message<"a module-path pattern of 1 to 256 characters without spaces, slashes or "
                   "colons, such as \"denoiser.down_blocks.*.attn1.to_q\"">(),
           problems);
    return false;
  }
  out = value.get<std::string>();
  return true;
}

Json read_value(const LossScaling& value) {
  if (value.mode == LossScaling::Mode::fixed) {
    return number_to_json(value.value);
  }
  return std::string(enum_name(value.mode));
}

Json read_value(const std::optional<double>& value) {
  return value ? number_to_json(*value) : Json("auto");
}

Json read_value(const std::vector<OptimizerGroup>& value) {
  Json list = Json::array();
  for (const OptimizerGroup& group : value) {
    Json item{{"part", read_value(group.part)}};
    if (group.type) {
      item["type"] = read_value(*group.type);
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

void write_value(LossScaling& out, const Setting& s, const Json& value, Problems& problems) {
  const std::string path(s.key);
  if (value.is_string()) {
    const auto mode = enum_from_name<LossScaling::Mode>(value.get_ref<const std::string&>());
    if (mode) {
      out = {*mode, 0};
      return;
    }
  } else if (value.is_number()) {
    const double factor = value.get<double>();
    if (factor >= s.min && factor <= s.max) {
      out = {LossScaling::Mode::fixed, factor};
      return;
    }
  }
  refuse(path, value, allowed_values(s), problems);
}

void write_value(std::optional<double>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const double number = value.is_number() ? value.get<double>() : 0;
  if (value == "auto") {
    out.reset();
  } else if (value.is_number() && number >= s.min && number <= s.max) {
    out = number;
  } else {
    refuse(std::string(s.key), value, allowed_values(s), problems);
  }
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

void write_value(std::vector<std::string>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  const bool targets = s.kind == Kind::targets;
  if (targets && value.is_string()) {
    std::size_t index = 0;
    const std::string& text = value.get_ref<const std::string&>();
    if (std::find(s.choices.begin(), s.choices.end(), text) == s.choices.end()) {
      refuse_word(path, value, allowed_values(s), s.choices, problems);
    } else if (check_choice(value, path, s.choices, index, problems)) {
      out = {text};
    }
    return;
  }
  const bool is_list =
      targets ? check_list(value, path, message<"a list of module-path patterns">(),
                           message<"module-path patterns">(), problems)
              : check_list(value, path, message<"a list of texts">(), message<"texts">(), problems);
  if (!is_list) {
    return;
  }
  if (targets && value.empty()) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::vector<std::string> list;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    std::string text;
    if (targets ? check_pattern(value[i], where, text, problems)
                : check_text(value[i], where, s.text, text, problems)) {
      list.push_back(std::move(text));
    }
  }
  out = std::move(list);
}

void write_value(std::vector<int>& out, const Setting& s, const Json& value, Problems& problems) {
  const std::string path(s.key);
  if (!check_list(value, path, allowed_values(s), message<"whole numbers">(), problems)) {
    return;
  }
  std::vector<int> list;
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::int64_t number = 0;
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_integer(value[i], where, s.min, s.max, number, problems)) {
      continue;
    }
    if (std::ranges::find(list, static_cast<int>(number)) != list.end()) {
      problems.push_back(
          {where, message<"{key} is {value}, which is in the list already; give each "
                          "once">(where, number)});
      continue;
    }
    list.push_back(static_cast<int>(number));
  }
  out = std::move(list);
}

void write_value(ModelFamily& out, const Setting& s, const Json& value, Problems& problems) {
  std::size_t index = 0;
  const std::vector<std::string_view> names = family_names();
  if (check_choice(value, std::string(s.key), names, index, problems)) {
    const FamilyRow* row = find_family_row(names[index]);
    out = row == nullptr ? ModelFamily::automatic : row->id;
  }
}

void write_value(std::vector<Part>& out, const Setting& s, const Json& value, Problems& problems) {
  const std::string path(s.key);
  if (!value.is_array() || value.empty()) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Part part;
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_part(value[i], where, part, problems)) {
      continue;
    }
    if (std::find(parts.begin(), parts.end(), part) != parts.end()) {
      problems.push_back(
          {where, message<"{key} is {value}, which is listed twice; list each part once">(
                      where, shown(value[i]))});
    } else {
      parts.push_back(part);
    }
  }
  std::sort(parts.begin(), parts.end());  // one spelling for one meaning
  out = std::move(parts);
}

void write_value(std::array<double, 2>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!value.is_array() || value.size() != 2) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::array<double, 2> pair{};
  for (std::size_t i = 0; i < 2; ++i) {
    check_number(value[i], fmt::format("{}[{}]", path, i), s.min, s.max, pair[i], problems);
  }
  out = pair;
}

void write_value(std::map<std::string, StorageType>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!value.is_object() || value.size() > kMaxItems) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::map<std::string, StorageType> pins;
  for (const auto& [key, type] : value.items()) {
    const std::string where = fmt::format("{}.{}", path, key);
    std::string pattern;
    std::size_t index = 0;
    if (check_pattern(Json(key), where, pattern, problems) &&
        check_choice(type, where, s.choices, index, problems)) {
      pins[pattern] = static_cast<StorageType>(index);
    }
  }
  out = std::move(pins);
}

}  // namespace mantissa::value_io
