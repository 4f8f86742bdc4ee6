#pragma once
// The engine's messages in the window's language.

#include <QString>
#include <optional>
#include <string>

#include "engine/core/error.h"

namespace mantissa::gui {

/// The translation of the message's template with its values, themselves translated; untranslated
/// text stays English. Control characters are escaped.
QString message_text(const Message& message);

/// A finding of the catalogue within an error: what happens, what to do, and the change that does
/// it; empty without one.
struct ToldFinding {
  Message what, fix;
  std::string patch;
};
std::optional<ToldFinding> told_finding(const Message& error);

/// An error as a standalone sentence: capitalized if it begins with a plain word. Paths, keys,
/// files and tensors keep their first letter.
QString error_text(const Message& message);

/// What the engine says in the words of presets and of the command line, in those of the window:
/// settings and values by their names in quotes ("Rank" for adapter.rank), options as the fields
/// that stand for them, commands as the tools that do the same, parts, types and formats by name
/// (FP8 E4M3 for fp8_e4m3), bytes in larger units. Parts of paths, and values in double quotes,
/// stay.
QString plain_words(const QString& said);
/// error_text in plain words.
QString plain_text(const Message& message);

/// "FP8 E4M3 / BF16" for a run's types as the database has them, "fp8_e4m3 / bf16".
QString precision_text(const std::string& stored);

}  // namespace mantissa::gui
