#include "engine/io/write_access.h"

#ifndef _WIN32
#include <cerrno>
#include <unistd.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

std::error_code write_problem(const fs::path& folder) {
  std::error_code error;
  fs::path place = fs::absolute(folder, error);
  while (!place.empty() && !fs::exists(place, error) && place.has_relative_path()) {
    place = place.parent_path();
  }
  if (!fs::is_directory(place, error)) {
    return std::make_error_code(std::errc::not_a_directory);
  }
#ifndef _WIN32
  if (access(place.c_str(), W_OK | X_OK) != 0) {
    return {errno, std::generic_category()};
  }
#endif
  return {};
}

}  // namespace mantissa
