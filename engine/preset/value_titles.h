#pragma once
// Names of values for people, beside the schema's labels of settings. English; the window
// translates them.

#include <span>
#include <string_view>

namespace mantissa {

/// The name of a value: "LoRA" for lora, "FP8 E4M3" for fp8_e4m3.
struct ValueTitle {
  std::string_view key;    ///< the setting that has the value; empty: any
  std::string_view value;  ///< spelled as in JSON
  std::string_view title;
};

/// All of them; those of one setting stand before those of any.
std::span<const ValueTitle> value_titles();

/// A value's name where a setting has it, or, with an empty key, anywhere; the value itself if it
/// has none. Names of model families are their titles.
std::string_view value_title(std::string_view key, std::string_view value);

}  // namespace mantissa
