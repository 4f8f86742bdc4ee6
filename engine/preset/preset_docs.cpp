#include "engine/preset/preset_docs.h"

#include <fmt/format.h>

#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

Json names(std::span<const std::string_view> choices) {
  Json list = Json::array();
  for (const std::string_view c : choices) {
    list.push_back(std::string(c));
  }
  return list;
}

Json bound(double value) {
  if (value == static_cast<double>(static_cast<std::int64_t>(value))) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json range(std::string_view type, double min, double max) {
  return {{"type", std::string(type)}, {"minimum", bound(min)}, {"maximum", bound(max)}};
}

Json item_schema(const Setting& s) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const ItemField& f : s.fields) {
    Json field;
    if (f.kind == Kind::integer || f.kind == Kind::number) {
      field = range(f.kind == Kind::integer ? "integer" : "number", f.min, f.max);
    } else if (f.kind == Kind::choice) {
      field = {{"enum", names(f.choices)}};
    } else {
      field = {{"type", "string"}};
    }
    field["description"] = std::string(f.help);
    properties[std::string(f.key)] = std::move(field);
    if (f.required) {
      required.push_back(std::string(f.key));
    }
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Json value_schema(const Setting& s) {
  switch (s.kind) {
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::integer:
      return range("integer", s.min, s.max);
    case Kind::number:
      return range("number", s.min, s.max);
    case Kind::text:
      return {{"type", "string"}};
    case Kind::choice:
      return {{"enum", names(s.choices)}};
    case Kind::text_list:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case Kind::integer_list:
      return {{"type", "array"}, {"items", range("integer", s.min, s.max)}, {"uniqueItems", true}};
    case Kind::choice_list:
      return {{"type", "array"},
              {"items", {{"enum", names(s.choices)}}},
              {"minItems", 1},
              {"uniqueItems", true}};
    case Kind::targets:
      return {{"anyOf",
               Json::array(
                   {Json{{"enum", names(s.choices)}},
                    Json{{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}}})}};
    case Kind::number_pair:
      return {{"type", "array"},
              {"items", range("number", s.min, s.max)},
              {"minItems", 2},
              {"maxItems", 2}};
    case Kind::choice_or_number:
      return {{"anyOf",
               Json::array({Json{{"enum", names(s.choices)}}, range("number", s.min, s.max)})}};
    case Kind::pins:
      return {{"type", "object"}, {"additionalProperties", {{"enum", names(s.choices)}}}};
    case Kind::objects:
      return {{"type", "array"}, {"items", item_schema(s)}};
  }
  return {};
}

Json empty_object() {
  return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
}

/// Bars would end a table cell.
std::string in_table(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  return escaped;
}

}  // namespace

std::string json_schema() {
  Json root = empty_object();
  root["properties"]["mantissa_preset"] = {{"const", kPresetFormat},
                                           {"description", "Number of the preset format."}};
  for (const Setting& s : settings()) {
    Json* object = &root;
    std::string_view key = s.key;
    for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.')) {
      Json& properties = (*object)["properties"];
      const std::string section(key.substr(0, dot));
      if (!properties.contains(section)) {
        properties[section] = empty_object();
      }
      object = &properties[section];
      key = key.substr(dot + 1);
    }
    Json value = value_schema(s);
    value["title"] = std::string(s.label);
    value["description"] = std::string(s.help);
    value["default"] = Json::parse(default_value(s.key).dump());
    (*object)["properties"][std::string(key)] = std::move(value);
  }
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Mantissa preset"},
                 {"type", "object"},
                 {"properties", root["properties"]},
                 {"required", Json::array({"mantissa_preset"})},
                 {"additionalProperties", false}};
  return schema.dump(2) + "\n";
}

std::string reference_markdown() {
  std::string text =
      "# Settings of a preset\n\n"
      "Every preset starts with `\"mantissa_preset\": 2`. Keys may be nested or dotted; "
      "on the command line, `--set key=value` changes one. Settings marked * are the essential "
      "ones.\n";
  Group group = Group::about;
  bool first = true;
  for (const Setting& s : settings()) {
    if (first || s.group != group) {
      text +=
          fmt::format("\n## {}\n\n| Key | Takes | Default | What and when |\n|---|---|---|---|\n",
                      group_title(s.group));
      group = s.group;
      first = false;
    }
    std::string help(s.help);
    if (!s.applies_if.key.empty()) {
      std::string values;
      for (const std::string_view v : s.applies_if.values) {
        values += fmt::format("{}{}", values.empty() ? "" : ", ", v);
      }
      help += fmt::format(" Only with `{}` {}.", s.applies_if.key, values);
    }
    if (s.change != Change::never) {
      help += s.change == Change::live ? " Can be changed while a run is in progress."
                                       : " Can be changed when a run is resumed.";
    }
    std::string takes = allowed_values(s).text();
    if (!s.unit.empty()) {
      takes += fmt::format(" ({})", s.unit);
    }
    text +=
        fmt::format("| `{}`{} | {} | `{}` | {} |\n", s.key, s.tier == Tier::essential ? "\\*" : "",
                    in_table(takes), in_table(default_value(s.key).dump()), in_table(help));
    for (const ItemField& f : s.fields) {
      text += fmt::format("| `{}[].{}` | | | {} |\n", s.key, f.key, in_table(f.help));
    }
  }
  return text;
}

}  // namespace mantissa
