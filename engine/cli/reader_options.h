#pragma once
// Options that name programs which read adapters.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/readers/reader.h"

namespace mantissa {

/// Adds --for, of any number of programs; `keys` must outlive the parsing.
void add_readers(CLI::App& command, std::vector<std::string>& keys);
/// Adds --for, of one program.
void add_reader(CLI::App& command, std::string& key, const std::string& help);
/// Those of the keys, "all" for every one.
std::vector<const Reader*> readers_of(const std::vector<std::string>& keys);

}  // namespace mantissa
