#pragma once

#include <QString>
#include <string_view>

namespace mantissa::gui {

/// Common words for what a setting is about that are in neither its name nor its help, separated
/// by spaces, in lower case: "vram gpu memory" of the batch size. Empty if there are none.
QString search_words(std::string_view key);

}  // namespace mantissa::gui
