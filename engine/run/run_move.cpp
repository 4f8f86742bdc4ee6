// RunFolder: moving a run to another folder when its disk is full.
#include <nlohmann/json.hpp>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kNote = "moved.json";

bool holds_run(const fs::path& folder, const std::string& id) {
  std::error_code error;
  const fs::path file = folder / "job.json";
  if (!fs::is_regular_file(file, error)) {
    return false;
  }
  const auto job = nlohmann::json::parse(read_text(file), nullptr, false);
  return job.is_object() && job.contains("id") && job["id"] == id;
}

}  // namespace

RunFolder RunFolder::moved_below(const fs::path& parent) const {
  RunFolder run;
  run.id_ = id_;
  run.path_ = whole_path(parent) / path_from_utf8(id_);
  if (run.path_ == path_) {
    throw Error(
        message<"{folder} is the folder that the run is in; choose another">(path_to_utf8(path_)));
  }
  make_folders(run.checkpoints());
  run.job_ = job_;
  run.started_ = started_;
  run.job_id_ = job_id_;
  run.text_ = text_;
  atomic_write(run.job_file(), text_);
  std::error_code ignored;
  fs::remove(run.settings_file(), ignored);  // as the next line
  fs::remove(run.path_ / kNote, ignored);    // of an earlier move away from there
  if (id_ != job_id_) {
    atomic_write(run.copy_note(), read_text(copy_note()));
  }
  run.record_settings(job_.preset);
  return run;
}

bool RunFolder::note_move(const RunFolder& to) const {
  try {
    atomic_write(
        path_ / kNote,
        nlohmann::json{{"mantissa_moved", 1}, {"to", path_to_utf8(to.path_)}}.dump(2) + "\n");
    return true;
  } catch (const DiskFull&) {
    return false;
  }
}

fs::path RunFolder::followed(const fs::path& folder, const std::string& job_id) {
  constexpr int kMostMoves = 16;
  fs::path at = folder;
  for (int i = 0; i < kMostMoves; ++i) {
    std::error_code error;
    if (!fs::is_regular_file(at / kNote, error)) {
      return at;
    }
    const auto note = nlohmann::json::parse(read_text(at / kNote), nullptr, false);
    if (note.is_discarded() || !note.is_object() || !note.contains("to") ||
        !note["to"].is_string()) {
      throw Error(
          message<"{file} can't be read. It names the folder where this run continues: pass "
                  "that folder in place of {folder}">(path_to_utf8(at / kNote),
                                                      path_to_utf8(folder)));
    }
    const fs::path to = path_from_utf8(note["to"].get<std::string>());
    if (!holds_run(to, job_id)) {
      throw Error(
          message<
              "the run {run} was moved to {folder}, which is missing now. Connect that disk, or "
              "remove {file} to continue from the older checkpoints here">(
              job_id, path_to_utf8(to), path_to_utf8(at / kNote)));
    }
    at = to;
  }
  return at;
}

}  // namespace mantissa
