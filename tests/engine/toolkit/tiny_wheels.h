#pragma once
// A table of libraries and their wheels, some hundred kilobytes in place of a gigabyte.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "engine/toolkit/library_table.h"

namespace mantissa::test {

/// A zip archive with compressed members.
std::string zip_archive(const std::map<std::string, std::string>& members);

/// Two packages; the first is the larger one, with two libraries and a file that nobody needs.
struct TinyWheels {
  TinyWheels();

  LibraryTable table;
  std::map<std::string, std::string> files;      ///< wheels by name
  std::map<std::string, std::string> libraries;  ///< what is installed, by name

  /// Writes the wheels into a folder.
  void write(const std::filesystem::path& folder) const;
};

}  // namespace mantissa::test
