#include "engine/core/file_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/core/ascii.h"

namespace mantissa {

bool is_device_name(std::string_view name) {
  const std::string stem = lower_ascii(name.substr(0, name.find('.')));
  static constexpr std::array<std::string_view, 6> kNames{"con", "prn",    "aux",
                                                          "nul", "conin$", "conout$"};
  if (std::ranges::find(kNames, stem) != kNames.end()) {
    return true;
  }
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         stem[3] >= '0' && stem[3] <= '9';
}

Message windows_name_problem(std::string_view name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (name.find_first_of(":*?\"<>|") != std::string_view::npos ||
      std::ranges::any_of(name, is_control)) {
    return message<"a name on Windows holds none of : * ? \" < > | and no control characters">();
  }
  if (is_device_name(name)) {
    return message<"{name} is a device on Windows">(name);
  }
  return name.ends_with('.') || name.ends_with(' ')
             ? message<"Windows leaves out a dot or a space at the end of a name">()
             : Message();
}

}  // namespace mantissa
