#include "engine/preset/import_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/preset/schema.h"
#include "engine/preset/value_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownValue = 160;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Keys whose values must not appear in a shared report.
bool is_secret(std::string_view path) {
  const std::string name = lower_ascii(path);
  return name.find("api_key") != std::string::npos || name.find("password") != std::string::npos ||
         name.find("secret") != std::string::npos || ends_with(name, "_token") ||
         ends_with(name, ".token");
}

/// The value in the setting's JSON type, if convertible.
Json coerced(const Setting& setting, const Json& value) {
  if (setting.kind == Kind::boolean) {
    if (value.is_string()) {
      const std::string text = lower_ascii(value.get_ref<const std::string&>());
      return text == "true" || text == "1" ? Json(true) : is_off(value) ? Json(false) : value;
    }
    return value.is_number() ? Json(value.get<double>() != 0) : value;
  }
  if (setting.kind == Kind::integer) {
    const std::optional<double> number = as_number(value);
    // Beyond this, a double skips whole numbers.
    return number && *number == std::floor(*number) && std::abs(*number) < 9e15
               ? Json(static_cast<std::int64_t>(*number))
               : value;
  }
  if (setting.kind == Kind::number || setting.kind == Kind::choice_or_number) {
    const std::optional<double> number = as_number(value);
    return number ? Json(*number) : value;
  }
  return value;
}

/// The end of a number setting's range that a value lies beyond.
std::optional<double> nearest_end(const Setting& setting, const Json& value) {
  const bool numeric = setting.kind == Kind::integer || setting.kind == Kind::number ||
                       setting.kind == Kind::choice_or_number;
  const std::optional<double> number = numeric ? as_number(value) : std::nullopt;
  if (!number || (*number >= setting.min && *number <= setting.max)) {
    return std::nullopt;
  }
  return *number < setting.min ? setting.min : setting.max;
}

}  // namespace

bool is_unset(const Json& value) {
  return value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty()) ||
         (value.is_structured() && value.empty());
}

bool is_off(const Json& value) {
  if (value.is_boolean()) {
    return !value.get<bool>();
  }
  if (value.is_number()) {
    return value.get<double>() == 0;
  }
  if (value.is_string()) {
    const std::string text = lower_ascii(value.get_ref<const std::string&>());
    const std::optional<double> number = as_number(value);
    return text.empty() || text == "none" || text == "false" || text == "off" || text == "no" ||
           (number && *number == 0);
  }
  return is_unset(value);
}

std::optional<double> as_number(const Json& value) {
  if (value.is_number()) {
    return value.get<double>();
  }
  if (!value.is_string()) {
    return std::nullopt;
  }
  const std::string& text = value.get_ref<const std::string&>();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

bool has_no_flow(const Preset& preset) {
  return !family_row(preset.model.family).has_flow;
}

bool has_flow(const Preset& preset) {
  return preset.model.family != ModelFamily::automatic && family_row(preset.model.family).has_flow;
}

std::string short_value(const Json& value) {
  // JSON and TOML can't contain invalid UTF-8; replaced to be safe.
  std::string text = value.is_string() ? value.get<std::string>()
                                       : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kShownValue) {
    std::size_t cut = kShownValue;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) {
      --cut;
    }
    text = text.substr(0, cut) + "…";
  }
  return text;
}

void answer_groups(ImportContext& context, std::span<const ImportGroup> groups) {
  for (std::size_t i = 0; i < context.entries().size(); ++i) {
    const SourceEntry& entry = context.entries()[i];
    ImportRow& row = context.row_at(i);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const ImportGroup& g) {
      return entry.key.starts_with(g.prefix);
    });
    if (row.fate != ImportFate::unknown || group == groups.end()) {
      continue;
    }
    if (is_off(entry.value)) {
      context.ignore(row, message<"Not used there.">());
    } else if (group->kind != ImportKind::ignored) {
      context.refuse_feature(row, group->kind, group->text, /*unused=*/false);
    } else {
      context.ignore(row, group->text.said());
    }
  }
}

ImportContext::ImportContext(std::vector<SourceEntry> entries, ImportFormat format,
                             std::string_view source_name)
    : entries_(std::move(entries)), source_name_(source_name) {
  result_.format = format;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const SourceEntry& entry = entries_[i];
    ImportRow row;
    row.source = entry.path;
    row.key = entry.key;
    row.line = entry.line;
    row.value = is_secret(entry.path) && !is_off(entry.value) ? "•••" : short_value(entry.value);
    row.note = message<"This key is not known; it has no effect here.">();
    if (!entry.superseded_by.empty()) {
      row.fate = ImportFate::ignored;
      row.note = entry.superseded_by == entry.path ? message<"Given again: the last one counts.">()
                 : entry.passed_over.empty()
                     ? message<"Given again: {key} counts.">(entry.superseded_by)
                     : joined<" ">({entry.passed_over,
                                    message<"{key} counts instead.">(entry.superseded_by)});
    } else if (!entry.passed_over.empty()) {
      row.fate = ImportFate::ignored;
      row.note = entry.passed_over;
    } else if (!index_.emplace(entry.key, i).second) {
      row.fate = ImportFate::ignored;
      row.note = message<"Given again: {key} counts.">(entries_[index_[entry.key]].path);
    }
    result_.rows.push_back(std::move(row));
  }
}

std::optional<std::size_t> ImportContext::index_of(std::string_view key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

const Json* ImportContext::find(std::string_view key) const {
  const auto index = index_of(key);
  return index && !is_unset(entries_[*index].value) ? &entries_[*index].value : nullptr;
}

double ImportContext::number(std::string_view key, double otherwise) const {
  const Json* value = find(key);
  return value == nullptr ? otherwise : as_number(*value).value_or(otherwise);
}

bool ImportContext::flag(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr && !is_off(*value);
}

std::string ImportContext::text(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

ImportRow* ImportContext::row(std::string_view key) {
  const auto index = index_of(key);
  return index ? &result_.rows[*index] : nullptr;
}

bool ImportContext::take(ImportRow& row, std::string_view target, const Json& value) {
  const Setting& setting = require_setting(target);
  const std::vector<Problem> problems =
      try_set_setting(result_.preset, setting.key, coerced(setting, value));
  const std::optional<double> nearest = nearest_end(setting, value);
  const bool moved =
      !problems.empty() && nearest &&
      try_set_setting(result_.preset, setting.key, coerced(setting, Json(*nearest))).empty();
  const auto now = [&] { return short_value(get_setting(result_.preset, setting.key)); };
  if (!problems.empty() && !moved) {
    if (!row.key.empty()) {
      refused_[row.key] = message<"Not taken: {problem}.">(problems.front().message);
    }
    // What the preset has instead differs from what the source asks for.
    change(row, message<"Not taken: {problem}. {setting} stays at {value}.">(
                    problems.front().message, setting.key, now()));
    return false;
  }
  if (moved) {
    change(row, message<"Not offered here: {given}; the nearest is {value}.">(
                    short_value(value_io::number_to_json(*as_number(value))), now()));
  } else if (row.fate != ImportFate::changed) {
    row.fate = ImportFate::mapped;
    row.note = {};
  }
  const std::string key(setting.key);
  if (std::find(row.targets.begin(), row.targets.end(), key) == row.targets.end()) {
    row.targets.push_back(key);
  }
  return true;
}

bool ImportContext::take_changed(ImportRow& row, std::string_view target, const Json& value,
                                 Message note) {
  const bool changed_before = row.fate == ImportFate::changed;
  if (!take(row, target, value)) {
    return false;
  }
  const bool moved = !changed_before && row.fate == ImportFate::changed;
  change(row, moved ? joined<" ">({row.note, std::move(note)}) : std::move(note));
  return true;
}

void ImportContext::refuse(ImportRow& row, Message note) {
  refused_[row.key] = note;
  change(row, std::move(note));
}

bool ImportContext::lacks(std::string_view key) const {
  return find(key) == nullptr || refused_.contains(key);
}

void ImportContext::mark(std::string_view key, std::vector<std::string> targets) {
  if (ImportRow* row = find(key) == nullptr ? nullptr : this->row(key)) {
    row->fate = ImportFate::mapped;
    row->note = {};
    row->targets = std::move(targets);
  }
}

void ImportContext::ignore(ImportRow& row, Message note) {
  row.fate = ImportFate::ignored;
  row.note = std::move(note);
}

void ImportContext::change(ImportRow& row, Message note) {
  row.fate = ImportFate::changed;
  row.note = std::move(note);
}

void ImportContext::refuse_feature(ImportRow& row, ImportKind kind, const RuleText& feature,
                                   bool unused) {
  if (unused) {
    ignore(row, message<"Not used there.">());
    return;
  }
  const Message note = message<"Not offered here: {what}.">(feature.said());
  if (kind == ImportKind::replaced) {
    change(row, note);
  } else {
    ignore(row, note);
  }
}

void ImportContext::differ(std::string_view source, const Json& value, Message note) {
  if (find(source) == nullptr) {
    ImportRow row;
    row.source = source;
    row.key = source;
    row.value = short_value(value);
    change(row, std::move(note));
    result_.rows.push_back(std::move(row));
  }
}

void ImportContext::assume(std::string_view source, std::string_view target, const Json& value,
                           Message note) {
  if (!lacks(source)) {
    return;
  }
  if (find(source) != nullptr) {
    ImportRow& given = *this->row(source);
    const Message why = refused_.find(source)->second;
    if (take(given, target, value)) {
      change(given, message<"{why} {setting} is {value}, the default there.">(
                        why, target, short_value(get_setting(result_.preset, target))));
    }
    return;
  }
  ImportRow row;
  row.source = source;
  row.key = source;
  row.value = short_value(value);
  if (take(row, target, value)) {
    row.fate = ImportFate::assumed;
    row.note = std::move(note);
    result_.rows.push_back(std::move(row));
  }
}

}  // namespace mantissa
