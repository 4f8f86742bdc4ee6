#include "engine/cli/option_values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"

namespace mantissa {
namespace {

constexpr std::array<std::string_view, 2> kMayBeEmpty{"prompt", "negative"};
constexpr std::size_t kMostOfAPath = 300;

bool may_be_empty(const CLI::Option& option) {
  const auto& names = option.get_lnames();
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return std::find(kMayBeEmpty.begin(), kMayBeEmpty.end(), name) != kMayBeEmpty.end();
  });
}

}  // namespace

void require_utf8(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (utf8_error_offset(argument) != std::string::npos) {
      throw Error(
          message<
              "the argument {argument} is not UTF-8; rename the file or folder, or give another "
              "text">(printable(argument)));
    }
  }
}

void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const auto& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end() && !may_be_empty(*option)) {
      throw Error(
          message<"{option} is empty; give it a value or leave it out">(option->get_name()));
    }
  }
  for (const CLI::App* command : app.get_subcommands()) {
    require_values(*command);
  }
}

CLI::Validator finite_range(double least, double most) {
  const std::string allowed = fmt::format("{:g} - {:g}", least, most);
  return CLI::Validator(
      [least, most, allowed](std::string& text) {
        double value = 0;
        const bool inside =
            CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
        return inside ? std::string() : fmt::format("{} is not a number in {}", text, allowed);
      },
      "FLOAT in [" + allowed + "]");
}

void add_overwrite(CLI::App& command, bool& overwrite) {
  command.add_flag("--overwrite", overwrite, "Replace files that exist already");
}

std::string shortened_path(const std::filesystem::path& path) {
  const std::string text = path_to_utf8(path);
  if (text.size() <= kMostOfAPath) {
    return printable(text);
  }
  return fmt::format("{}...{} ({} bytes)", printable(text.substr(0, kMostOfAPath / 2)),
                     printable(text.substr(text.size() - 50)), text.size());
}

}  // namespace mantissa
