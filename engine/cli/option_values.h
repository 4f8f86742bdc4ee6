#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

struct CommandSession;

/// Throws Error naming an argument that isn't UTF-8: paths and texts are stored as UTF-8.
void require_utf8(const std::vector<std::string>& arguments);

/// After parsing. Throws Error naming an option that was given an empty value: an empty path is
/// usually an unset variable in a script. Texts such as --prompt may be empty.
void require_values(const CLI::App& app);

/// One of `words`; another value is refused with the nearest of them.
CLI::Validator one_of(std::vector<std::string> words);
CLI::Validator one_of(std::span<const std::string_view> words);
/// A whole number from `least` to `most`.
CLI::Validator whole_number(std::int64_t least, std::int64_t most);
/// A number from `least` to `most`; NaN and infinities are refused by the option's name.
CLI::Validator finite_range(double least, double most);
/// A share of something, above 0 and at most 1.
CLI::Validator share_above_zero();

/// An amount of memory from the command line.
struct SizeOption {
  std::uint64_t bytes = 0;
  std::string notice;  ///< how a number without a unit was read; empty with one
};
/// An option for an amount of memory, with its unit: "8GB", "7500MB", "7.5GiB". A number without a
/// unit is refused with the amount that is probably meant, unless it is a gigabyte or more in
/// bytes: then it is taken, with a notice.
CLI::Option* add_size(CLI::App& command, const std::string& name, SizeOption& size,
                      const std::string& help);
/// The amount "8GB". Throws Error that names `option`.
SizeOption parse_size(const std::string& option, const std::string& text);
/// Shows the notice of an amount, if it has one.
void tell_size(const CommandSession& session, const SizeOption& size);

/// Tells of a card that could be used where no --device was given, so that the CPU is.
void tell_unused_card(const CommandSession& session);

/// What an option's validator accepts, for help and completion: its words, or "1 to 1000".
std::vector<std::string> words_of(CLI::Option& option);
std::string range_of(CLI::Option& option);

/// "; did you mean {near}?" with the word that is nearest to `word`; empty if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

/// --overwrite, for a command that writes files.
void add_overwrite(CLI::App& command, bool& overwrite);

}  // namespace mantissa
