#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/progress.h"
#include "engine/data/image_scan.h"
#include "engine/io/content_hashes.h"
#include "engine/io/weights.h"
#include "engine/train/run.h"

namespace mantissa {

/// A file, or a caption, that a run's result depends on, by its content.
struct Ingredient {
  std::string part;  ///< one of ingredient_parts()
  std::string name;  ///< within the part: "unet/config.json", "a.png caption"; empty: the only one
  std::string path;  ///< where it lay, for people, UTF-8; empty for images and captions
  std::string sha256;  ///< 64 hex digits
  std::uint64_t bytes = 0;
};

/// What a run is made of. Kept by every checkpoint, so that a resumed run goes on with the same.
using RunIdentity = std::vector<Ingredient>;

/// "base", "vae", "config", "scheduler", "tokenizer", "continue_from", "replay", "images", "prior",
/// "validation": what --accept-changed takes.
std::span<const std::string_view> ingredient_parts();
/// Throws Error naming the parts where `name` is none of them. A hyphen stands for an underscore.
std::string ingredient_part(std::string_view name);

/// The files of the base model and of the job, without its images.
RunIdentity identify_files(const WeightSource& source, const JobSpec& job,
                           const ContentHashes& hashes, const Progress& progress);
/// Adds images with their captions and masks as `part`, or as "prior" those for it.
void add_images(RunIdentity& identity, std::string_view part, std::span<const ImageItem> items);

struct IdentityChange {
  std::string part;
  Message text;  ///< what, where, old and new hash and size; "-" where it wasn't or isn't
};
/// What differs, in the order of ingredient_parts().
std::vector<IdentityChange> changes_between(const RunIdentity& before, const RunIdentity& now);

nlohmann::json to_json(const RunIdentity& identity);
/// Throws Error naming `label` and what is wrong.
RunIdentity identity_from_json(const nlohmann::json& json, const std::string& label);

/// A run that does not go on as it is, and what its user may decide.
class ResumeRefused : public Error {
 public:
  ResumeRefused(Message message, std::vector<std::string> changed)
      : Error(std::move(message)), changed_(std::move(changed)) {}
  /// Parts to accept; empty where no checkpoint is intact and the run can only start over.
  const std::vector<std::string>& changed() const { return changed_; }

 private:
  std::vector<std::string> changed_;
};

/// Throws ResumeRefused where something differs that `accepted` doesn't name; else says what
/// differs.
std::vector<IdentityChange> require_same(const RunIdentity& before, const RunIdentity& now,
                                         std::span<const std::string> accepted);

}  // namespace mantissa
