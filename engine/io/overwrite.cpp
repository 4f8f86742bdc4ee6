#include "engine/io/overwrite.h"

#include "engine/core/amount_text.h"
#include "engine/core/disk_full.h"
#include "engine/core/error.h"
#include "engine/core/file_names.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/io/file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// Longest name in a path: bytes on Linux, UTF-16 units on Windows, where the temporary file of a
/// longer one can still be created.
constexpr std::size_t kLongestName = 255;

std::string in_quotes(const fs::path& path) {
  return "'" + path_to_utf8(path) + "'";
}

/// The nearest folder above `folder`, or itself, that exists.
fs::path existing_part(fs::path folder) {
  std::error_code none;
  while (!folder.empty() && !fs::exists(fs::symlink_status(folder, none))) {
    const fs::path parent = folder.parent_path();
    if (parent == folder) {
      break;
    }
    folder = parent;
  }
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

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

namespace {

/// Whether `path`, which may not exist yet, is `folder` or below it.
bool is_within(const fs::path& path, const fs::path& folder) {
  std::error_code none;
  for (fs::path at = fs::absolute(path, none).lexically_normal(); !at.empty();
       at = at.parent_path()) {
    if (fs::exists(at, none) && fs::equivalent(at, folder, none)) {
      return true;
    }
    if (at == at.parent_path()) {
      break;
    }
  }
  return false;
}

}  // namespace

void refuse_input(const fs::path& out, std::span<const fs::path> inputs) {
  std::error_code none;
  const std::string name = path_to_utf8(out);
  for (const fs::path& input : inputs) {
    if (input.empty() || !fs::exists(input, none)) {
      continue;
    }
    if (fs::exists(out, none) && fs::equivalent(out, input, none)) {
      throw Error(
          message<"--out {file} is what this command reads; write the result elsewhere">(name));
    }
    if (is_within(out, input) || is_within(input, out)) {
      throw Error(message<"--out {file} and {input}, which this command reads, lie inside each "
                          "other; write the result elsewhere">(name, path_to_utf8(input)));
    }
  }
}

namespace {

/// Under Windows, where the attempt to write beside a file shows no such problem of its name, and a
/// colon makes a stream of another file.
void require_nameable([[maybe_unused]] const fs::path& out) {
#ifdef _WIN32
  for (const fs::path& part : out.relative_path()) {
    const std::string name = path_to_utf8(part);
    if (name == "." || name == "..") {
      continue;
    }
    if (const Message problem = windows_name_problem(name); !problem.empty()) {
      throw Error(
          message<"can't write {file}: {reason}; choose another name">(in_quotes(out), problem));
    }
  }
#endif
}

}  // namespace

void require_place(const fs::path& out, OutputKind kind) {
  for (const fs::path& part : out) {
    if (part.native().size() > kLongestName) {
      throw Error(message<"can't write {file}: a name in it is too long; choose a shorter one">(
          in_quotes(out)));
    }
  }
  require_nameable(out);
  std::error_code none;
  const fs::path parent = out.parent_path().empty() ? fs::path(".") : out.parent_path();
  std::error_code unusable;  // a name that is too long, for one
  if (fs::is_directory(parent, none) &&
      fs::symlink_status(out, unusable).type() == fs::file_type::none) {
    throw Error(message<"can't write {file}: {reason}; choose another path">(
        in_quotes(out), system_message(unusable)));
  }
  const bool is_folder = fs::is_directory(out, none);
  if (kind == OutputKind::file && (is_folder || !out.has_filename())) {
    throw Error(
        message<"can't write {file}: it is a folder; give the name of a file">(in_quotes(out)));
  }
  if (kind == OutputKind::folder && fs::exists(out, none) && !is_folder) {
    throw Error(message<"can't write {file}: it is a file, and a folder is written here; choose "
                        "another path">(in_quotes(out)));
  }
  const fs::path folder = kind == OutputKind::folder ? existing_part(out) : parent;
  if (!fs::is_directory(folder, none)) {
    throw Error(
        fs::exists(folder, none)
            ? message<"can't write {file}: {folder} is not a folder; choose another path">(
                  in_quotes(out), in_quotes(folder))
            : message<"can't write {file}: there is no folder {folder}; create it, or choose "
                      "another path">(in_quotes(out), in_quotes(folder)));
  }
  // Only an attempt tells: permissions, quotas, read-only file systems.
  const AtomicFile attempt(kind == OutputKind::folder ? folder / "output" : out);
}

void require_space(const fs::path& out, std::uint64_t bytes) {
  const fs::path folder = existing_part(out.parent_path());
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || space.capacity == 0 || space.available >= bytes) {
    return;
  }
  throw DiskFull(
      folder, bytes,
      message<"can't write {file}: it needs {need}, and the disk of folder {folder} "
              "has {free} free; free space or choose another folder">(
          in_quotes(out), bytes_text(bytes), in_quotes(folder), bytes_text(space.available)));
}

void require_output(const fs::path& out, OutputKind kind, bool overwrite) {
  refuse_overwrite(out, overwrite);
  require_place(out, kind);
}

}  // namespace mantissa
