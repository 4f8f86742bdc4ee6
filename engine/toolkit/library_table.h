#pragma once
// NVIDIA's libraries that the CUDA library needs: which wheels of the Python package index hold
// them.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A file of the index: a zip archive.
struct LibraryWheel {
  std::string package, version;  ///< "nvidia-cublas", "13.1.0.3"
  std::string file;              ///< its name
  std::uint64_t bytes = 0;
  std::string sha256;   ///< 64 hex digits
  std::string licence;  ///< title of its terms
  std::string terms;    ///< path of their text in the archive
  /// The libraries that are used: path in the archive and size.
  std::map<std::string, std::uint64_t> libraries;

  std::uint64_t unpacked_bytes() const;
};

struct LibraryTable {
  std::string index;  ///< address of the index, without a slash at its end
  std::vector<LibraryWheel> wheels;

  /// Differs between tables with different wheels; a folder's name.
  std::string id() const;
  std::uint64_t download_bytes() const;
  std::uint64_t unpacked_bytes() const;
  /// Titles of the terms, each once.
  std::vector<std::string> licences() const;
};

/// The table of one platform (PlatformRow::name). Throws Error if the text is no such table.
LibraryTable parse_library_table(std::string_view json, std::string_view platform);

/// This platform's, from the program's resources, with the index that MANTISSA_CUDA_INDEX names in
/// place of the table's. Throws Error.
LibraryTable library_table();

/// The name of a path's last part: "libcudnn.so.9".
std::string library_name(std::string_view path_in_archive);

}  // namespace mantissa
