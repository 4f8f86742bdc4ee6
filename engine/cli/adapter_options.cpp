#include "engine/cli/adapter_options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/preset/names.h"
#include "engine/run/run_adapters.h"
#include "engine/tools/tool_table.h"

namespace mantissa {
namespace {

/// The whole text as a number; a sign in front is one, as people write "+0.5".
std::optional<double> number_of(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  double value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = at == text.data() + text.size();
  return error == std::errc{} && whole ? std::optional(value) : std::nullopt;
}

/// Where the weight of "file:0.8", or the word of "file:zorb", begins; npos if there is none. A
/// colon of a path begins none: of a drive ("C:file"), of a folder, of a file that exists or ends
/// as adapters do.
std::size_t weight_colon(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    return std::string::npos;
  }
  const std::string after = text.substr(colon + 1);
  const std::string before = text.substr(0, colon);
  const bool drive = colon == 1 && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  const bool path =
      after.find_first_of("/\\") != std::string::npos || after.ends_with(".safetensors") || drive;
  std::error_code none;
  return path || std::filesystem::exists(path_from_utf8(text), none) ? std::string::npos : colon;
}

Message quoted_text(const std::string& text) {
  return Message::verbatim("'" + printable(text) + "'");
}

/// What was probably meant: a comma as decimal point, a percentage.
std::string nearest_weight(const std::string& file, std::string given) {
  std::replace(given.begin(), given.end(), ',', '.');
  double scale = 1;
  if (given.ends_with('%')) {
    given.pop_back();
    scale = 0.01;
  }
  const std::optional<double> weight = number_of(given);
  return weight ? fmt::format("; did you mean {}:{:g}?", printable(file), scale * *weight) : "";
}

SampleRequest::Lora split_lora(const std::string& text) {
  const std::size_t colon = weight_colon(text);
  if (colon == std::string::npos) {
    return {path_from_utf8(text), 1};
  }
  const std::string given = text.substr(colon + 1);
  const std::optional<double> weight = number_of(given);
  if (!weight) {
    throw Error(message<"{adapter}: {weight} is no weight; a number from -100 to 100 follows the "
                        "last colon{near}">(printable(text), quoted_text(given),
                                            nearest_weight(text.substr(0, colon), given)));
  }
  if (!(*weight >= -100 && *weight <= 100)) {
    throw Error(
        message<"{adapter}: the weight must be a number from -100 to 100">(printable(text)));
  }
  return {path_from_utf8(text.substr(0, colon)), *weight};
}

}  // namespace

SampleRequest::Lora parse_lora(const std::string& text) {
  SampleRequest::Lora lora = split_lora(text);
  lora.file = adapter_at(lora.file);
  return lora;
}

SampleRequest::Embedding parse_embedding(const std::string& text) {
  const std::size_t colon = weight_colon(text);
  return colon == std::string::npos
             ? SampleRequest::Embedding{path_from_utf8(text), {}}
             : SampleRequest::Embedding{path_from_utf8(text.substr(0, colon)),
                                        text.substr(colon + 1)};
}

SampleRequest::Column parse_checkpoint(const std::string& text) {
  const SampleRequest::Lora lora = split_lora(text);
  return {checkpoint_label(lora.file), {{adapter_at(lora.file), lora.weight}}};
}

void add_dora_axis(CLI::App& command, std::string& text) {
  command.add_option("--dora-axis", text, dora_axis_help().text())
      ->type_name("AXIS")
      ->check(one_of(std::vector<std::string>{"output", "input"}));
}

std::optional<DoraAxis> dora_axis_of(const std::string& text) {
  return enum_from_name<DoraAxis>(text);
}

}  // namespace mantissa
