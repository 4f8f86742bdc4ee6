#include "engine/io/input_file.h"

#include <optional>

#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {

/// Empty if the file is missing.
std::optional<FileStamp> stamp_now(const std::filesystem::path& file) {
  try {
    return file_stamp(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Message changed_text(const std::filesystem::path& file) {
  return message<
      "'{file}' was changed, replaced or removed while it was in use, so nothing made from it "
      "since is kept. Restore it and leave it alone, then start again, or resume the run">(
      path_to_utf8(file));
}

}  // namespace

InputChanged::InputChanged(const std::filesystem::path& file) : Error(changed_text(file)) {}

void require_unchanged(const std::filesystem::path& file, FileStamp& known,
                       const std::string& sha256) {
  const std::optional<FileStamp> now = stamp_now(file);
  if (now == known) {
    return;
  }
  const bool touched = now && !sha256.empty() && now->differs_in_change_time_only(known);
  if (!touched || sha256_file(file) != sha256 || stamp_now(file) != now) {
    throw InputChanged(file);
  }
  known = *now;
}

}  // namespace mantissa
