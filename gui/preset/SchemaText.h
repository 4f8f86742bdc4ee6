#pragma once
// Settings and values in the user's words.

#include <QString>
#include <nlohmann/json.hpp>
#include <string_view>

namespace mantissa::gui {

/// A text of the schema table, translated.
QString schema_text(std::string_view text);

/// "Gradient clipping" for training.max_grad_norm; the key itself if there is no such setting.
QString setting_label(const QString& key);

/// A value as shown in the form: 1e-4, on, attention, "a, b". Long ones are truncated.
QString value_text(const nlohmann::json& value, int max_length = 160);

}  // namespace mantissa::gui
