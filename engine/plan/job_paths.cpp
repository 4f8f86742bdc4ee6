#include "engine/plan/job_paths.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/preset/family_table.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// The base model that ships with the program under this name; null if there is none.
const DemoBase* built_in_base(const fs::path& path) {
  for (const FamilyRow* row : family_rows()) {
    if (!row->demo.name.empty() && path == row->demo.name) {
      return &row->demo;
    }
  }
  return nullptr;
}

std::vector<fs::path> resolve_folders(const std::vector<fs::path>& folders) {
  std::vector<fs::path> resolved;
  for (const fs::path& folder : folders) {
    resolved.push_back(is_built_in(folder) ? resource_path("demo/images") : folder);
  }
  return resolved;
}

}  // namespace

bool is_built_in(const fs::path& path) {
  return built_in_base(path) != nullptr;
}

fs::path resolve_base(const fs::path& base) {
  if (const DemoBase* built_in = built_in_base(base)) {
    return resource_path(std::string(built_in->resource));
  }
  if (base.empty()) {
    throw Error(message<"no base model given (--base). Choose a .safetensors or .gguf file, a "
                        "diffusers folder or demo">());
  }
  if (!fs::exists(base)) {
    throw Error(message<"{path}: no such base model. Pass a .safetensors or .gguf file or a "
                        "diffusers folder">(path_to_utf8(base)));
  }
  return base;
}

std::vector<fs::path> resolve_images(const std::vector<fs::path>& images) {
  std::vector<fs::path> resolved = resolve_folders(images);
  if (resolved.empty()) {
    throw Error(message<"no images given (--images). Choose a folder of images, or demo">());
  }
  return resolved;
}

SetFolders job_folders(const JobSpec& job) {
  return {resolve_images(job.images), resolve_folders(job.prior), resolve_folders(job.validation),
          job.references};
}

void require_image_folder(const fs::path& folder, std::string_view moved_option) {
  std::error_code none;
  if (!fs::is_directory(folder, none)) {
    throw Error(moved_option.empty()
                    ? message<"{path}: no such folder of images">(path_to_utf8(folder))
                    : message<"{path}: no such folder of images. If it was moved, pass its new "
                              "path ({option})">(path_to_utf8(folder), moved_option));
  }
}

bool is_preset_alone(const JobSpec& job) {
  return !trains_own_images(job.preset) && job.images.empty() && job.prior.empty() &&
         job.validation.empty() && job.references.empty() && job.out.empty() && !job.resume &&
         !job.continue_from && job.training_adapters.empty() && !job.replay && !job.trace;
}

fs::path runs_folder() {
  return data_dir() / "runs";
}

}  // namespace mantissa
