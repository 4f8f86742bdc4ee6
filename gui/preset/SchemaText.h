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

/// The name of a choice where a setting has it ("FP8 E4M3"), or, with an empty key, anywhere.
QString choice_text(const QString& key, const QString& choice);

/// A setting's value as shown in the form: 1e-4, on, Attention, "a, b". Long ones are truncated.
QString value_text(const QString& key, const nlohmann::json& value, int max_length = 160);
/// A value of no setting's own.
QString value_text(const nlohmann::json& value, int max_length = 160);

}  // namespace mantissa::gui
