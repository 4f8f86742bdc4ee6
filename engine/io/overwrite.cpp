#include "engine/io/overwrite.h"

#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {

namespace fs = std::filesystem;

void refuse_overwrite(const fs::path& out, bool overwrite) {
  std::error_code error;
  const fs::file_status status = fs::status(out, error);
  const fs::file_status itself = fs::symlink_status(out, error);
  const std::string name = "'" + path_to_utf8(out) + "'";
  if (itself.type() == fs::file_type::none) {
    throw Error("can't write " + name + ": " + error.message() + "; choose another path");
  }
  if (!fs::exists(itself)) {
    return;
  }
  const bool folder = fs::is_directory(status);
  if (fs::exists(status) && !folder && !fs::is_regular_file(status)) {
    throw Error("can't write " + name + ": it is not a regular file; choose another path");
  }
  if (overwrite || (folder && fs::is_empty(out, error))) {
    return;
  }
  throw Error(fmt::format(
      fmt::runtime(folder
                       ? "{} is a folder that is not empty; pass --overwrite to replace files in "
                         "it, or choose another path"
                       : "{} exists already; pass --overwrite to replace it, or choose another "
                         "path"),
      path_to_utf8(out)));
}

}  // namespace mantissa
