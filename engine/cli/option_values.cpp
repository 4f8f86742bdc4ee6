#include "engine/cli/option_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <system_error>
#include <utility>

#include "engine/cli/commands.h"
#include "engine/core/amount_text.h"
#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/preset/schema.h"
#include "engine/tools/tool_table.h"

namespace mantissa {
namespace {

constexpr std::array<std::string_view, 2> kMayBeEmpty{"prompt", "negative"};
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
/// A smaller number without a unit isn't meant in bytes: no run needs so little memory.
constexpr double kLeastPlainBytes = 1e9;

// Validators carry what they accept in their names: "one of a, b", "from 1 to 9".
constexpr std::string_view kOneOf = "one of ";
constexpr std::string_view kFrom = "from ";

struct SizeUnit {
  std::string_view name;
  double bytes;
};
constexpr std::array<SizeUnit, 9> kUnits{{{"B", 1},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"KiB", 1024.0},
                                          {"MiB", 1024.0 * 1024},
                                          {"GiB", 1024.0 * 1024 * 1024},
                                          {"TiB", 1024.0 * 1024 * 1024 * 1024}}};

/// "gb", "GB" and "g" alike.
const SizeUnit* unit_of(const std::string& text) {
  const auto same = [&](const SizeUnit& unit) {
    const std::string name = lower_ascii(unit.name);
    return lower_ascii(text) == name || lower_ascii(text) + "b" == name;
  };
  const auto* found = std::find_if(kUnits.begin(), kUnits.end(), same);
  return found == kUnits.end() ? nullptr : found;
}

/// What the validator that begins with `kind` accepts; empty without one.
std::string accepted(CLI::Option& option, std::string_view kind) {
  try {
    for (int i = 0;; ++i) {
      const std::string name = option.get_validator(i)->get_name();
      if (name.compare(0, kind.size(), kind) == 0) {
        return name.substr(kind.size());
      }
    }
  } catch (const CLI::OptionNotFound&) {  // there is no further one
    return {};
  }
}

CLI::Validator within(const std::string& range, std::function<bool(const std::string&)> inside,
                      const std::string& what) {
  return CLI::Validator(
      [inside = std::move(inside), range, what](std::string& text) {
        return inside(text) ? std::string()
                            : fmt::format("{} is not {} {}{}", printable(text), what, kFrom, range);
      },
      "", std::string(kFrom) + range);
}

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

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string list = fmt::format("{}", fmt::join(words, ", "));
  return CLI::Validator(
      [words = std::move(words), list](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) {
          return std::string();
        }
        const std::string nearest = did_you_mean(text, words);
        return fmt::format("{} is not one of {}{}", printable(text), list, nearest);
      },
      "", std::string(kOneOf) + list);
}

CLI::Validator one_of(std::span<const std::string_view> words) {
  return one_of(std::vector<std::string>(words.begin(), words.end()));
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return within(
      fmt::format("{} to {}", least, most),
      [least, most](const std::string& text) {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data(), end, value);
        return error == std::errc{} && at == end && least <= value && value <= most;
      },
      "a whole number");
}

CLI::Validator finite_range(double least, double most) {
  return within(
      fmt::format("{:g} to {:g}", least, most),
      [least, most](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
      },
      "a number");
}

CLI::Validator share_above_zero() {
  return within(
      "above 0 to 1",
      [](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0 && value <= 1;
      },
      "a number");
}

SizeOption parse_size(const std::string& option, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  std::string unit(at, end);
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  if (error != std::errc{} || !(value > 0)) {
    throw Error(message<"{option} is {text}; give an amount such as 8GB, 7500MB or 8GiB">(
        option, printable(text)));
  }
  if (unit.empty() && value < kLeastPlainBytes) {
    const std::string nearest = value < 1024  ? text + "GB"
                                : value < 1e6 ? text + "MB"
                                              : fmt::format("{:.6g}MB", value / 1e6);
    throw Error(message<"{option} {text} is {text} bytes; did you mean {near}?">(
        option, printable(text), nearest));
  }
  if (unit.starts_with(',')) {
    throw Error(message<"{option} is {text}; write the fraction with a point, as in 7.5GB">(
        option, printable(text)));
  }
  const SizeUnit* found = unit.empty() ? kUnits.begin() : unit_of(unit);
  if (found == nullptr) {
    std::vector<std::string_view> names;
    for (const SizeUnit& known : kUnits) {
      names.push_back(known.name);
    }
    throw Error(message<"{option} is {text}: {unit} is not a unit; expected one of {units}">(
        option, printable(text), printable(unit), fmt::format("{}", fmt::join(names, ", "))));
  }
  const double bytes = value * found->bytes;
  if (!(bytes >= 1 && bytes <= static_cast<double>(kMostBytes))) {
    throw Error(
        message<"{option} is {text}; no device has that much memory">(option, printable(text)));
  }
  SizeOption size{static_cast<std::uint64_t>(bytes), {}};
  if (unit.empty()) {
    size.notice = fmt::format("{} {} has no unit and is read as {} bytes, {}. Write {}B", option,
                              text, size.bytes, bytes_text(size.bytes), size.bytes);
  }
  return size;
}

void tell_size(const CommandSession& session, const SizeOption& size) {
  if (!size.notice.empty() && session.speaks()) {
    session.err() << "mantissa: " << size.notice << std::endl;
  }
}

void tell_unused_card(const CommandSession& session) {
  if (!session.speaks() || session.context.cards == nullptr) {
    return;
  }
  const std::vector<DeviceInfo> cards = session.context.cards();
  if (!cards.empty()) {
    session.err() << fmt::format("mantissa: running on the CPU; pass --device {} to use the {}\n",
                                 cards.front().id, printable(cards.front().name))
                  << std::flush;
  }
}

CLI::Option* add_size(CLI::App& command, const std::string& name, SizeOption& size,
                      const std::string& help) {
  return command
      .add_option_function<std::string>(
          name, [name, &size](const std::string& text) { size = parse_size(name, text); }, help)
      ->type_name("SIZE");
}

std::vector<std::string> words_of(CLI::Option& option) {
  std::string list = accepted(option, kOneOf);
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    words.push_back(list.substr(0, end));
    list.erase(0, end + 2);
  }
  return words;
}

std::string range_of(CLI::Option& option) {
  return accepted(option, kFrom);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  const std::string_view nearest = nearest_word(word, views);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

void add_overwrite(CLI::App& command, bool& overwrite) {
  command.add_flag("--overwrite", overwrite, overwrite_help().text());
}

}  // namespace mantissa
