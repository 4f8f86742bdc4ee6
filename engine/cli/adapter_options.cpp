#include "engine/cli/adapter_options.h"

#include <charconv>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/preset/names.h"

namespace mantissa {

SampleRequest::Lora parse_lora(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  SampleRequest::Lora lora{path_from_utf8(text), 1};
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    return lora;
  }
  const char* end = text.data() + text.size();
  double weight = 0;
  const auto [at, error] = std::from_chars(text.data() + colon + 1, end, weight);
  if (error != std::errc{} || at != end) {
    return lora;
  }
  if (!(weight >= -100 && weight <= 100)) {
    throw Error(message<"--lora {adapter}: the weight must be a number from -100 to 100">(text));
  }
  return {path_from_utf8(text.substr(0, colon)), weight};
}

void add_dora_axis(CLI::App& command, std::string& text) {
  command
      .add_option("--dora-axis", text,
                  "Which side a DoRA's magnitudes are for, where its file leaves that open: output "
                  "(PEFT, LyCORIS) or input (OneTrainer's default)")
      ->type_name("AXIS")
      ->check(CLI::IsMember({"output", "input"}));
}

std::optional<DoraAxis> dora_axis_of(const std::string& text) {
  return enum_from_name<DoraAxis>(text);
}

}  // namespace mantissa
