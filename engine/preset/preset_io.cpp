#include "engine/preset/preset_io.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <map>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/regular_file.h"
#include "engine/preset/preset_text.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMaxProblems = 20;
constexpr std::string_view kFormatKey = "mantissa_preset";

/// Turns a preset of format `from` into one of format `from + 1`, before its keys are checked.
struct Migration {
  int from;
  void (*apply)(JsonNode& root);
};
// Format 1 needs none: its names of the denoiser are accepted as aliases. A change of meaning
// appends a row here.
constexpr std::array<Migration, 0> kMigrations{};

std::string cut(const std::string& key) {
  return key.size() <= 80 ? key : key.substr(0, 77) + "...";
}

/// Reads the tree of one preset and collects its problems.
class Reader {
 public:
  Reader(const JsonNode& root, std::vector<LineProblem>& problems)
      : root_(root), problems_(problems) {}

  Preset read() {
    for (const JsonNode::Member& m : root_.members) {
      if (m.key != kFormatKey) {
        member(m.key, m);
      }
    }
    return std::move(preset_);
  }

 private:
  void member(const std::string& key, const JsonNode::Member& m) {
    if (const Setting* setting = find_setting(key)) {
      assign(key, *setting, m);
      return;
    }
    if (!is_section(key)) {
      unknown(key, m.line);
      return;
    }
    if (!m.node.is_object) {
      problems_.push_back(
          {m.line, message<"{key} is not an object; it holds settings such as {example}">(
                       key, first_in(key))});
      return;
    }
    for (const JsonNode::Member& inner : m.node.members) {
      member(key + "." + inner.key, inner);
    }
  }

  void assign(const std::string& key, const Setting& setting, const JsonNode::Member& m) {
    const std::string canonical(setting.key);
    const auto [earlier, is_new] = seen_.try_emplace(canonical, m.line);
    if (!is_new) {
      // The same spelling in the same object has been reported by the text parser.
      const Message twice = message<"{key} is given twice, first on line {line}; keep one">(
          key == canonical ? key : fmt::format("{} ({})", key, canonical), earlier->second);
      const bool reported = std::any_of(problems_.begin(), problems_.end(), [&](const auto& p) {
        return p.line == m.line && p.message.source() == twice.source();
      });
      if (!reported) {
        problems_.push_back({m.line, twice});
      }
      return;
    }
    for (const Problem& p : try_set_setting(preset_, canonical, m.node.value())) {
      problems_.push_back({line_of(canonical, p.path, m), p.message});
    }
  }

  void unknown(const std::string& key, int line) {
    const std::string_view nearest = key.size() > 128 ? std::string_view{} : nearest_key(key);
    problems_.push_back({line, unknown_setting(cut(key), nearest)});
  }

  /// "adapter", "precision.weights": a prefix of some key that ends before a dot.
  static bool is_section(const std::string& key) { return !first_in(key).empty(); }

  static std::string_view first_in(const std::string& section) {
    for (const Setting& s : settings()) {
      if (s.key.size() > section.size() + 1 && s.key.substr(0, section.size()) == section &&
          s.key[section.size()] == '.') {
        return s.key;
      }
    }
    return {};
  }

  /// Line of "samples.prompts[1].width" below the member that holds samples.prompts.
  static int line_of(const std::string& key, const std::string& path, const JsonNode::Member& m) {
    const JsonNode* node = &m.node;
    int line = m.line;
    std::size_t at = key.size();
    while (at < path.size()) {
      if (path[at] == '[' && node->is_array) {
        const std::size_t index = std::stoul(path.substr(at + 1));
        if (index >= node->items.size()) {
          break;
        }
        node = &node->items[index];
        line = node->line;
        at = path.find(']', at) + 1;
      } else if (path[at] == '.' && node->is_object) {
        // Keys of pins contain dots, so the longest match is tried first: the whole rest.
        const std::string rest = path.substr(at + 1);
        const auto found = std::find_if(node->members.begin(), node->members.end(),
                                        [&](const JsonNode::Member& c) { return c.key == rest; });
        if (found != node->members.end()) {
          line = found->line;
        }
        break;
      } else {
        break;
      }
    }
    return line;
  }

  const JsonNode& root_;
  std::vector<LineProblem>& problems_;
  Preset preset_;
  std::map<std::string, int> seen_;
};

/// True if the format number is supported.
bool check_format(const JsonNode& root, std::vector<LineProblem>& problems, int& format) {
  if (!root.is_object) {
    problems.push_back(
        {root.line, message<"a preset is a JSON object: { \"mantissa_preset\": 2, … }">()});
    return false;
  }
  for (const JsonNode::Member& m : root.members) {
    if (m.key != kFormatKey) {
      continue;
    }
    const Json& value = m.node.scalar;
    if (!value.is_number_integer() || value.get<double>() < 1) {
      problems.push_back(
          {m.line, message<"mantissa_preset must be 1 or 2, the number of the preset format">()});
      return false;
    }
    if (value.get<double>() > kPresetFormat) {
      problems.push_back(
          {m.line,
           message<"mantissa_preset is {given}, written by a newer Mantissa; this one reads "
                   "format {known}: update Mantissa, or export the preset again from there "
                   "in the older format">(value.dump(), kPresetFormat)});
      return false;
    }
    format = value.get<int>();
    return true;
  }
  problems.push_back(
      {root.line,
       message<"mantissa_preset is missing; add \"mantissa_preset\": 2, so that it is known "
               "for a preset and in which format">()});
  return true;  // the other keys can still be checked and reported
}

[[noreturn]] void fail(std::vector<LineProblem> problems, std::string_view source) {
  std::stable_sort(problems.begin(), problems.end(),
                   [](const LineProblem& a, const LineProblem& b) { return a.line < b.line; });
  if (const std::size_t all = problems.size(); all > kMaxProblems) {
    problems.resize(kMaxProblems);
    problems.push_back({0, message<"… and {count} more">(all - kMaxProblems)});
  }
  throw ProblemList(std::move(problems), source);
}

/// The value with the members of list objects in the schema's order.
OrderedJson in_order(const Setting& setting, const Json& value) {
  if (setting.kind != Kind::objects) {
    return OrderedJson::parse(value.dump());
  }
  OrderedJson list = OrderedJson::array();
  for (const Json& item : value) {
    OrderedJson ordered = OrderedJson::object();
    for (const ItemField& field : setting.fields) {
      if (item.contains(field.key)) {
        ordered[std::string(field.key)] = OrderedJson::parse(item[std::string(field.key)].dump());
      }
    }
    list.push_back(std::move(ordered));
  }
  return list;
}

Json value_from_text(const Setting& setting, std::string_view text) {
  Json value = broken_bound(text, TextForm::json, kPresetBounds)
                   ? Json(Json::value_t::discarded)
                   : Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const bool wants_text = setting.kind == Kind::text || setting.kind == Kind::choice;
  if (value.is_discarded() || (wants_text && !value.is_string())) {
    value = std::string(text);
  }
  const bool is_list = setting.kind == Kind::text_list || setting.kind == Kind::choice_list ||
                       setting.kind == Kind::targets || setting.kind == Kind::number_pair ||
                       setting.kind == Kind::integer_list;
  const bool named =
      std::find(setting.choices.begin(), setting.choices.end(), text) != setting.choices.end();
  const bool single_pattern =
      setting.kind == Kind::targets && !named && text.find_first_of(".*") != std::string_view::npos;
  const bool split = text.find(',') != std::string_view::npos || single_pattern ||
                     setting.kind == Kind::text_list || setting.kind == Kind::choice_list;
  if (setting.kind == Kind::integer_list && value.is_number()) {
    return Json::array({value});
  }
  if (!is_list || !value.is_string() || !split) {
    return value;
  }
  Json list = Json::array();
  std::size_t begin = 0;
  while (begin <= text.size() && !text.empty()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part(text.substr(begin, end - begin));
    Json number = Json::parse(part, nullptr, false);
    const bool numbers = setting.kind == Kind::number_pair || setting.kind == Kind::integer_list;
    list.push_back(numbers && number.is_number() ? number : Json(part));
    begin = end + 1;
  }
  return list;
}

}  // namespace

Preset parse_preset(std::string_view text, std::string_view source_name) {
  if (is_utf16(text)) {
    fail({{1, message<"the text is UTF-16; save it as UTF-8">()}}, source_name);
  }
  JsonNode root;
  std::vector<LineProblem> problems;
  int format = kPresetFormat;
  if (!parse_json_text(text, root, problems) || !check_format(root, problems, format)) {
    fail(std::move(problems), source_name);
  }
  for (const Migration& migration : kMigrations) {
    if (migration.from >= format) {
      migration.apply(root);
    }
  }
  Preset preset = Reader(root, problems).read();
  if (!problems.empty()) {
    fail(std::move(problems), source_name);
  }
  return preset;
}

Preset load_preset(const std::filesystem::path& file) {
  const std::string name = path_to_utf8(file);
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw Error(message<"{file} is a folder; a preset is a JSON file">(name));
  }
  require_regular_file(file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw Error(message<"can't read the preset {file}: no such file, or no permission">(name));
  }
  std::string text(kPresetMaxBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) {
    throw Error(message<"can't read the preset {file}: the disk reports an error">(name));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kPresetMaxBytes) {
    throw Error(message<"{file} is larger than 1 MB, so it is no preset">(name));
  }
  return parse_preset(text, path_to_utf8(file.filename()));
}

std::string to_json(const Preset& preset, WriteMode mode) {
  OrderedJson root = OrderedJson::object();
  root[std::string(kFormatKey)] = kPresetFormat;
  for (const Setting& setting : settings()) {
    if (mode == WriteMode::changed && is_default(preset, setting.key)) {
      continue;
    }
    OrderedJson* object = &root;
    std::string_view key = setting.key;
    for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.')) {
      object = &(*object)[std::string(key.substr(0, dot))];
      key = key.substr(dot + 1);
    }
    (*object)[std::string(key)] = in_order(setting, get_setting(preset, setting.key));
  }
  return printable_json(root.dump(2)) + "\n";
}

void apply_set(Preset& preset, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(
        message<"--set {assignment}: write key=value, such as --set adapter.rank=8">(assignment));
  }
  const Setting& setting = require_setting(assignment.substr(0, equals));
  set_setting(preset, setting.key, value_from_text(setting, assignment.substr(equals + 1)));
}

void apply_patch(Preset& preset, const nlohmann::json& patch) {
  if (!patch.is_object()) {
    throw Error(Message::verbatim("a preset patch is a JSON object of settings"));
  }
  for (const auto& [key, value] : patch.items()) {
    set_setting(preset, key, value);
  }
}

std::vector<PresetChange> diff_presets(const Preset& a, const Preset& b) {
  std::vector<PresetChange> changes;
  for (const Setting& s : settings()) {
    if (!s.bind.same(a, b)) {
      changes.push_back({std::string(s.key), get_setting(a, s.key), get_setting(b, s.key)});
    }
  }
  return changes;
}

}  // namespace mantissa
