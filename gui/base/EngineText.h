#pragma once
// The engine's English in the window's language.

#include <QString>
#include <span>

#include "engine/train/run.h"

namespace mantissa::gui {

/// The sentence of a finding, translated: found again in the catalogue's template, whose values are
/// filled into the translation. What the catalogue doesn't know stays as it is. The changes that
/// an adjustment names at its end are left out: whoever shows the finding shows them as settings.
QString finding_message(const Finding& finding);

/// A line of the engine, translated where it is known: it begins with a finding's id, "S11: 3 skips
/// in a row; … Fix: …", or is one of the sentences below, also after "file:12: ". Others stay as
/// they are. Of several lines, each is translated.
QString engine_text(const QString& text);

/// An error as a sentence by itself: engine_text, with a capital where it begins with a plain word.
/// Paths, keys, files and tensors keep their first letter.
QString error_text(const QString& text);

/// Templates, with {names}, of what people see most of the engine's lines, errors and reasons.
std::span<const char* const> engine_sentences();

/// The same of the notes that an import makes on its keys, and of the problems of presets.
std::span<const char* const> import_sentences();

/// What the system itself says of files: the texts of its commonest errors.
std::span<const char* const> system_sentences();

}  // namespace mantissa::gui
