#pragma once
// How keys of another program become settings.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ascii.h"
#include "engine/preset/import_result.h"
#include "engine/preset/import_source.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The treatment of one key.
enum class ImportKind {
  take,         ///< becomes the setting `text`
  special,      ///< `apply` decides
  unsupported,  ///< `text` names an unsupported feature; no note if it is off
  replaced,     ///< as unsupported, where the run has something else instead: a change
  ignored,      ///< never has an effect here; `text` says why
  path,         ///< a path or URL
};

/// The text of a rule: a setting's key or another name, or text for display.
struct RuleText {
  constexpr RuleText() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the tables hold names and words alike.
  constexpr RuleText(const char* key) : name(key) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr RuleText(const MessageTemplate* text) : words(text) {}
  Message said() const {
    return words != nullptr ? Message(words->text, {}) : Message::verbatim(std::string(name));
  }
  std::string_view name{};
  const MessageTemplate* words = nullptr;
};
template <Literal Text>
inline constexpr RuleText words = &message_template<Text>;

/// The context of a rule: the source's keys, the preset being built, and the report.
class ImportContext {
 public:
  using Json = nlohmann::json;

  /// `source_name` is for messages.
  ImportContext(std::vector<SourceEntry> entries, ImportFormat format,
                std::string_view source_name);

  /// Null if the key is absent or not set (null, "", an empty list).
  const Json* find(std::string_view key) const;
  /// The value read as a number, from text too; `otherwise` if there is none.
  double number(std::string_view key, double otherwise) const;
  bool flag(std::string_view key) const;
  std::string text(std::string_view key) const;
  /// Row of a key, to mark it from another rule; null if absent.
  ImportRow* row(std::string_view key);

  /// Writes a setting. A number beyond its range becomes the nearest in it; another invalid value
  /// leaves the setting unchanged, which is false. The row tells of both as a change.
  bool take(ImportRow& row, std::string_view target, const Json& value);
  /// For a value that can't be read at all: `note` says why. Like what `take` refuses, it counts as
  /// not given where the program's default is assumed.
  void refuse(ImportRow& row, Message note);
  /// Whether a key is absent, not set, or its value was refused.
  bool lacks(std::string_view key) const;
  /// Writes a setting that has another meaning here.
  bool take_changed(ImportRow& row, std::string_view target, const Json& value, Message note);
  void ignore(ImportRow& row, Message note);
  void change(ImportRow& row, Message note);
  /// For a feature that isn't offered; `unused`: nor is it used there.
  void refuse_feature(ImportRow& row, ImportKind kind, const RuleText& feature, bool unused);
  /// Marks a key that is set as one that became these settings, whatever was said of it before.
  void mark(std::string_view key, std::vector<std::string> targets);
  /// For keys absent from the source, or whose value was refused, where that program's default
  /// differs from ours. The row of a refused one then names the default.
  void assume(std::string_view source, std::string_view target, const Json& value, Message note);

  /// For a key absent from the source whose default there has no place here: a row that says so.
  void differ(std::string_view source, const Json& value, Message note);

  Preset& preset() { return result_.preset; }
  const Preset& chosen() const { return result_.preset; }
  const std::string& source_name() const { return source_name_; }
  const std::vector<SourceEntry>& entries() const { return entries_; }
  ImportRow& row_at(std::size_t index) { return result_.rows[index]; }
  std::optional<std::size_t> index_of(std::string_view key) const;
  ImportResult finish() { return std::move(result_); }

 private:
  std::vector<SourceEntry> entries_;
  std::string source_name_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::string, Message, std::less<>> refused_;  ///< why, by key
  ImportResult result_;
};

/// False, 0, "", null, "none": an unused feature.
bool is_off(const nlohmann::json& value);
bool is_unset(const nlohmann::json& value);
/// The value as a number, also from text such as "42" or "1e-4".
std::optional<double> as_number(const nlohmann::json& value);
/// Text without its quotes, other values as JSON, at most 160 bytes.
std::string short_value(const nlohmann::json& value);

/// Whether the base model's family is known and isn't rectified flow.
bool has_no_flow(const Preset& preset);
/// Whether the base model's family is known and may be rectified flow.
bool has_flow(const Preset& preset);

/// One key of a format. `C` is the format's own context.
template <typename C>
struct ImportRule {
  std::string_view key;
  ImportKind kind = ImportKind::take;
  RuleText text{};
  void (*apply)(C&, ImportRow&, const nlohmann::json&) = nullptr;
  std::string_view neutral{};  ///< for unsupported ones: a value that does nothing, as JSON
};

/// Why keys are ignored, for all formats.
inline constexpr RuleText kSpeedNote =
    words<"Concerns speed or memory of that program, not the result.">;
inline constexpr RuleText kLogsNote = words<"Runs are logged in the studio and its database.">;

/// "tensorboard", or "all" trackers: event files. Others have no place here.
template <typename C>
void take_trackers(C& context, ImportRow& row, const nlohmann::json& value) {
  const std::string names = value.is_string() ? value.get<std::string>() : value.dump();
  if (names.find("tensorboard") != std::string::npos || names == "all") {
    context.take(row, "output.tensorboard", true);
  } else {
    context.ignore(row, kLogsNote.said());
  }
}
inline constexpr RuleText kPathNote =
    words<"A path: those are chosen for each run and never stored in a preset.">;

inline constexpr RuleText kOtherFileNote =
    words<"That file has settings of its own, which are not read here: import it too.">;

inline constexpr RuleText kRunNote = words<"Part of a run, not of a preset.">;
inline constexpr RuleText kOnlineNote = words<"Nothing is sent anywhere.">;
inline constexpr RuleText kVideoNote = words<"Concerns video only.">;
inline constexpr RuleText kAudioNote = words<"Concerns audio only.">;
inline constexpr RuleText kTrainingAdapterNote =
    words<"Belongs to the run: give the file as its training adapter (--training-adapter).">;
inline constexpr RuleText kTrainingAdapterWeightNote = words<
    "Belongs to the run: the weight of its training adapter (--training-adapter FILE:WEIGHT).">;
inline constexpr RuleText kTogetherNote = words<"Counts together with other keys.">;
inline constexpr RuleText kModuleNote =
    words<"Module names are never loaded from a configuration.">;
inline constexpr RuleText kCommandNote =
    words<"Command lines are never taken from a configuration.">;
inline constexpr RuleText kCaptionFileNote =
    words<"Captions are .txt or .caption files, or metadata.jsonl.">;
inline constexpr RuleText kCaptionLengthNote =
    words<"Captions have the length of their model family.">;
inline constexpr RuleText kImagesNote =
    words<"Images and what is done with them are chosen for each run, not by a preset.">;
/// Features that several programs have, for "Not offered here".
inline constexpr RuleText kTextualInversion = words<"textual inversion">;
inline constexpr RuleText kControlNet = words<"ControlNet training">;
inline constexpr RuleText kSliders = words<"slider adapters">;
inline constexpr RuleText kDistillation = words<"distillation">;
inline constexpr RuleText kRefiner = words<"training of SDXL's refiner">;
inline constexpr RuleText kConditioning = words<"conditioning images">;
inline constexpr RuleText kReferencesNote =
    words<"Folders of reference images are chosen for each run, with base models that edit.">;
inline constexpr RuleText kReferenceSize = words<"another size of reference images">;
inline constexpr RuleText kLayerFilter = words<"a filter of layers by name; see adapter.targets">;
inline constexpr RuleText kOtherTimesteps = words<"another choice of timesteps">;

/// Keys that begin alike and have one answer.
struct ImportGroup {
  std::string_view prefix;  ///< of the key
  RuleText text;
  ImportKind kind = ImportKind::ignored;  ///< or unsupported, or replaced
};
/// Answers rows that no rule has answered by the first group that fits.
void answer_groups(ImportContext& context, std::span<const ImportGroup> groups);

/// Applies the table in its own order, so that later rules may override earlier ones.
template <typename C>
void run_rules(C& context, std::span<const ImportRule<C>> rules) {
  for (const ImportRule<C>& rule : rules) {
    const std::optional<std::size_t> index = context.index_of(rule.key);
    if (!index) {
      continue;
    }
    ImportRow& row = context.row_at(*index);
    const nlohmann::json& value = context.entries()[*index].value;
    if (is_unset(value)) {
      context.ignore(row, message<"Not set there.">());
      continue;
    }
    switch (rule.kind) {
      case ImportKind::take:
        context.take(row, rule.text.name, value);
        break;
      case ImportKind::special:
        rule.apply(context, row, value);
        break;
      case ImportKind::unsupported:
      case ImportKind::replaced:
        context.refuse_feature(row, rule.kind, rule.text,
                               is_off(value) || (!rule.neutral.empty() &&
                                                 value == nlohmann::json::parse(rule.neutral)));
        break;
      case ImportKind::ignored:
        context.ignore(row, rule.text.said());
        break;
      case ImportKind::path:
        context.ignore(row, kPathNote.said());
        break;
    }
  }
}

}  // namespace mantissa
