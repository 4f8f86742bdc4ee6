#pragma once

#include <QString>
#include <optional>
#include <string_view>

namespace mantissa::gui {

/// Common words for what a setting is about that are in neither its name nor its help, separated
/// by spaces, in lower case: "vram gpu memory" of the batch size. Empty if there are none.
QString search_words(std::string_view key);

/// What a search can ask of a setting beside its words.
enum class SettingState { modified, advanced };
/// The word for it in the search, in the window's language: "@modified".
QString state_word(SettingState state);
/// What a word asks for, in the window's language or in English, in any case; none for others.
std::optional<SettingState> state_of_word(const QString& word);

}  // namespace mantissa::gui
