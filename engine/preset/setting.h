#pragma once
// One row of the schema table.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/preset/family_table.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The type of a setting's value, which determines its JSON and its editor.
enum class Kind {
  boolean,
  integer,           ///< int or int64
  number,            ///< double
  text,              ///< string
  choice,            ///< one of `choices`
  text_list,         ///< list of strings
  integer_list,      ///< list of distinct int
  choice_list,       ///< list of distinct `choices`, at least one
  targets,           ///< one of `choices` (named sets), or a list of module-path patterns
  number_pair,       ///< [a, b]
  choice_or_number,  ///< one of `choices`, or a number
  pins,              ///< {module-path pattern: one of `choices`}
  objects,           ///< list of objects with `fields`
};

/// Essential settings are shown at once, advanced ones on request.
enum class Tier { essential, advanced };

/// Section of the form and of the reference.
enum class Group {
  about,
  model,
  adapter,
  precision,
  data,
  training,
  optimizer,
  schedule,
  output,
  samples,
};

/// "Training".
std::string_view group_title(Group group);

/// What a string may contain. Presets are shared, so they must not contain paths or URLs.
enum class TextRule {
  prompt,     ///< any text
  prose,      ///< any text without a URL
  label,      ///< one line without a URL, an absolute path or ".."
  file_stem,  ///< one file name without separators, usable on every platform
  size,       ///< WIDTHxHEIGHT in pixels, such as 768x1344
};

/// One member of the objects in a list setting (samples.prompts, optimizer.groups).
struct ItemField {
  std::string_view key;
  std::string_view label;
  Kind kind = Kind::text;
  double min = 0, max = 0;  ///< for integer and number
  std::span<const std::string_view> choices{};
  bool required = false;
  std::string_view help{};
};

/// A setting has an effect only if `key` has one of `values`; always if key is empty.
struct Condition {
  std::string_view key{};
  std::span<const std::string_view> values{};  ///< one_of of settings_rows.h
};

/// When the value may change in an existing run.
enum class Change {
  never,
  on_resume,
  live,  ///< during the run and on resume
};

/// A rejected value: where ("samples.prompts[1].width") and why, as a whole sentence.
struct Problem {
  std::string path;
  Message message;
};

struct Setting;

/// Access to a row's member of Preset.
struct Binding {
  nlohmann::json (*read)(const Preset&) = nullptr;
  void (*write)(Preset&, const Setting&, const nlohmann::json&, std::vector<Problem>&) = nullptr;
  bool (*same)(const Preset&, const Preset&) = nullptr;
  void (*copy)(Preset& to, const Preset& from) = nullptr;
};

/// One row of the schema table. The default is that of a default-constructed Preset.
struct Setting {
  std::string_view key;    ///< "training.max_grad_norm"
  std::string_view label;  ///< "Gradient clipping"
  Kind kind = Kind::text;
  Group group = Group::about;
  Tier tier = Tier::advanced;
  double min = 0, max = 0;                      ///< inclusive; for numbers
  std::string_view unit{};                      ///< "px", "steps", or empty
  std::span<const std::string_view> choices{};  ///< spelled as in JSON
  std::span<const ItemField> fields{};          ///< for objects
  TextRule text = TextRule::label;              ///< for text and text_list
  Condition applies_if{};
  Change change = Change::never;
  int since = 1;                        ///< preset format version that introduced it
  std::string_view alias{};             ///< an alternative key
  bool FamilyRow::*families = nullptr;  ///< only families with this trait have it; null: all
  Binding bind{};
  std::string_view help{};  ///< what it does and when to change it
};

/// "a whole number from 1 to 1024", "one of lora, dora", …: the allowed values, for messages.
Message allowed_values(const Setting& setting);

}  // namespace mantissa
