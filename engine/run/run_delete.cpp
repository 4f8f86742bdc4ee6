#include "engine/run/run_delete.h"

#include <optional>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/io/program_folder.h"
#include "engine/io/run_lock.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLockFile = "run.lock";

/// What results are called: "lora", of which "lora-step-100.safetensors" is one.
std::string result_name(const RunRow& run) {
  try {
    return parse_preset(run.preset_json, run.id).output.name;
  } catch (const Error&) {  // of a newer version: only the other entries are known
    return {};
  }
}

bool is_written_by_run(const fs::path& entry, const std::string& result) {
  const std::string name = path_to_utf8(entry.filename());
  if (name == kLockFile) {
    return false;  // it goes last
  }
  if (is_run_entry(name) || is_set_aside(name) || name.starts_with(".tmp-")) {
    return true;
  }
  std::error_code none;
  const bool folder = fs::is_directory(fs::symlink_status(entry, none));
  return !result.empty() &&
         (name == result || name.starts_with(result + "-") || name.starts_with(result + ".")) &&
         (folder || entry.extension() == ".safetensors");
}

void remove_entry(const fs::path& entry) {
  std::error_code error;
  fs::remove_all(entry, error);
  if (error) {
    throw Error(message<"can't delete {path}: {reason}. The run stays in the list">(
        path_to_utf8(entry), system_message(error)));
  }
}

Error in_progress(const RunRow& run) {
  return Error(message<"{run} is being trained now; stop it first, or wait for its end">(run.id));
}

}  // namespace

DeletedRun delete_run(RunStore& store, const RunRow& run, const fs::path& runs) {
  DeletedRun deleted{path_from_utf8(run.out), {}, false};
  const bool own = is_kept_among(deleted.folder, runs);
  std::error_code none;
  deleted.elsewhere = !own && fs::exists(deleted.folder, none);
  if (!own) {
    if (owner_is_alive(run)) {
      throw in_progress(run);
    }
    store.delete_run(run.id);
    return deleted;
  }
  {
    const std::optional<RunLock> lock = RunLock::try_acquire(deleted.folder / kLockFile);
    if (!lock) {
      throw in_progress(run);
    }
    const std::string result = result_name(run);
    for (const fs::directory_entry& entry : fs::directory_iterator(deleted.folder)) {
      const bool is_lock = entry.path().filename() == kLockFile;
      if (is_written_by_run(entry.path(), result)) {
        remove_entry(entry.path());
      } else if (!is_lock) {
        deleted.left.push_back(entry.path());
      }
    }
  }
  remove_entry(deleted.folder / kLockFile);
  if (deleted.left.empty()) {
    remove_entry(deleted.folder);
  }
  store.delete_run(run.id);
  return deleted;
}

}  // namespace mantissa
