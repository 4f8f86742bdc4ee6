#include "engine/io/overwrite.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"

namespace mantissa {

namespace fs = std::filesystem;

void refuse_overwrite(const fs::path& out, bool overwrite) {
  std::error_code error;
  const fs::file_status status = fs::status(out, error);
  const fs::file_status itself = fs::symlink_status(out, error);
  const std::string name = "'" + path_to_utf8(out) + "'";
  if (itself.type() == fs::file_type::none) {
    throw Error(
        message<"can't write {file}: {reason}; choose another path">(name, system_message(error)));
  }
  if (!fs::exists(itself)) {
    return;
  }
  const bool folder = fs::is_directory(status);
  if (fs::exists(status) && !folder && !fs::is_regular_file(status)) {
    throw Error(message<"can't write {file}: it is not a regular file; choose another path">(name));
  }
  if (overwrite || (folder && fs::is_empty(out, error))) {
    return;
  }
  const std::string path = path_to_utf8(out);
  throw Error(
      folder ? message<"{path} is a folder that is not empty; pass --overwrite to replace files in "
                       "it, or choose another path">(path)
             : message<
                   "{path} exists already; pass --overwrite to replace it, or choose another path">(
                   path));
}

}  // namespace mantissa
