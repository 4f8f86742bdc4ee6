#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/progress.h"
#include "engine/data/image_scan.h"
#include "engine/io/content_hashes.h"
#include "engine/io/file_stamp.h"
#include "engine/io/weights.h"
#include "engine/plan/job.h"

namespace mantissa {

/// A file, or a caption, that a run's result depends on, by its content.
struct Ingredient {
  std::string part;  ///< one of ingredient_parts()
  std::string name;  ///< within the part: "unet/config.json", "a.png caption"; empty: the only one
  std::string path;  ///< its path, for display, UTF-8; empty for images and captions
  std::string sha256;  ///< 64 hex digits
  std::uint64_t bytes = 0;
};

/// All inputs of a run. Stored in every checkpoint, so that a resumed run uses the same.
using RunIdentity = std::vector<Ingredient>;

/// "base", "vae", "config", "scheduler", "tokenizer", "continue_from", "training_adapter",
/// "replay", "images", "prior", "validation": the values of --accept-changed.
std::span<const std::string_view> ingredient_parts();
/// Throws Error listing the parts if `name` is none of them. A hyphen matches an underscore.
std::string ingredient_part(std::string_view name);

/// A file of a run, not hashed yet.
struct ListedFile {
  Ingredient ingredient;  ///< without its hash
  std::filesystem::path path;
  FileStamp stamp;  ///< as the run opened it
};
/// The files of the base model and of the job, without its images. Throws Error naming a file that
/// is missing.
std::vector<ListedFile> list_files(const WeightSource& source, const JobSpec& job);
/// Throws Error naming a file that can't be read or is another than the one listed. `progress` may
/// throw to cancel.
RunIdentity hash_files(std::span<const ListedFile> files, const ContentHashes& hashes,
                       const Progress& progress);
/// Adds images with their captions, masks and references as `part`, those for prior preservation as
/// "prior".
void add_images(RunIdentity& identity, std::string_view part, std::span<const ImageItem> items);

struct IdentityChange {
  std::string part;
  Message text;  ///< what, where, old and new hash and size; "-" if absent
};
/// What differs, in the order of ingredient_parts().
std::vector<IdentityChange> changes_between(const RunIdentity& before, const RunIdentity& now);

nlohmann::json to_json(const RunIdentity& identity);
/// Throws Error naming `label` and the problem.
RunIdentity identity_from_json(const nlohmann::json& json, const std::string& label);

/// A run that can't be resumed as it is, and the user's options.
class ResumeRefused : public Error {
 public:
  ResumeRefused(Message message, std::vector<std::string> changed)
      : Error(std::move(message)), changed_(std::move(changed)) {}
  /// Parts to accept; empty if no checkpoint is intact and the run can only start over.
  const std::vector<std::string>& changed() const { return changed_; }
  /// The message with the option of the command line that does so.
  Message with_option() const;

 private:
  std::vector<std::string> changed_;
};

/// Throws ResumeRefused if something differs that `accepted` doesn't name; else returns the
/// differences.
std::vector<IdentityChange> require_same(const RunIdentity& before, const RunIdentity& now,
                                         std::span<const std::string> accepted);

}  // namespace mantissa
