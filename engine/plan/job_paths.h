#pragma once

#include <filesystem>
#include <vector>

#include "engine/data/sets.h"
#include "engine/plan/job.h"

namespace mantissa {

/// "demo" means the base model that ships with the program. Throws Error if a path is missing.
std::filesystem::path resolve_base(const std::filesystem::path& base);
/// The same for folders of images. Throws Error if there is none.
std::vector<std::filesystem::path> resolve_images(const std::vector<std::filesystem::path>& images);
/// The folders of every set of images of a job. Throws Error if there is none to train on.
SetFolders job_folders(const JobSpec& job);

/// The folder of runs without --out.
std::filesystem::path runs_folder();

}  // namespace mantissa
