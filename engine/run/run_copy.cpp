// RunFolder: a run whose folder was copied.
#include <nlohmann/json.hpp>

#include "engine/io/file.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_name.h"

namespace mantissa {
namespace fs = std::filesystem;

/// The checkpoints' copies of job.json hold the original's id, so a note beside it has the copy's.
std::optional<std::string> RunFolder::id_of_copy() const {
  std::error_code error;
  if (!fs::is_regular_file(copy_note(), error)) {
    return std::nullopt;
  }
  const auto note = nlohmann::json::parse(read_text(copy_note()), nullptr, false);
  const bool whole = note.is_object() && note.contains("id") && note["id"].is_string() &&
                     note.contains("of") && note["of"] == job_id_;
  return whole ? std::optional(note["id"].get<std::string>()) : std::nullopt;
}

std::optional<fs::path> RunFolder::original(const fs::path& recorded) const {
  std::error_code error;
  if (fs::equivalent(recorded, path_, error)) {
    return std::nullopt;
  }
  try {
    const std::optional<RunFolder> other = find(recorded);
    const bool elsewhere = other && other->id() == id_ && !fs::equivalent(other->path(), path_);
    return elsewhere ? std::optional(other->path()) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;  // nothing that could be resumed
  }
}

void RunFolder::become_another_run() {
  id_ = new_id(run_slug(job_.preset));
  atomic_write(copy_note(),
               nlohmann::json{{"mantissa_copy", 1}, {"id", id_}, {"of", job_id_}}.dump(2) + "\n");
}

}  // namespace mantissa
