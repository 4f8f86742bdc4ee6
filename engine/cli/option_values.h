#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace mantissa {

/// Throws Error naming an argument that isn't UTF-8: paths and texts are stored as UTF-8.
void require_utf8(const std::vector<std::string>& arguments);

/// After parsing. Throws Error naming an option that was given an empty value: an empty path is
/// usually an unset variable in a script. Texts such as --prompt may be empty.
void require_values(const CLI::App& app);

/// A number from `least` to `most`; NaN and infinities are refused by the option's name.
CLI::Validator finite_range(double least, double most);

/// --overwrite, for a command that writes files.
void add_overwrite(CLI::App& command, bool& overwrite);

/// For messages: printable, with the middle of a very long path elided.
std::string shortened_path(const std::filesystem::path& path);

}  // namespace mantissa
