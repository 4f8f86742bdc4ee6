#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/data/sets.h"
#include "engine/plan/job.h"

namespace mantissa {

/// Whether it names a family's tiny model that ships with the program (FamilyRow::demo): "demo"; as
/// a folder of images, the demo's for any of them.
bool is_built_in(const std::filesystem::path& path);
/// The file or folder of a base model, built in or not. Throws Error if a path is missing.
std::filesystem::path resolve_base(const std::filesystem::path& base);
/// Folders of images, built in or not. Throws Error if there is none.
std::vector<std::filesystem::path> resolve_images(const std::vector<std::filesystem::path>& images);
/// The folders of every set of images of a job. Throws Error if there is none to train on.
SetFolders job_folders(const JobSpec& job);

/// Throws Error if it isn't a folder; with the option that gives its new place, if there is one.
void require_image_folder(const std::filesystem::path& folder, std::string_view moved_option = {});

/// The folder of runs without --out.
std::filesystem::path runs_folder();

/// Whether a job names a preset, a base model and a device alone: no folder of images, no run, no
/// other file. Any other job lacks images if it has none.
bool is_preset_alone(const JobSpec& job);

}  // namespace mantissa
