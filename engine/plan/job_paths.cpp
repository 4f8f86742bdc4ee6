#include "engine/plan/job_paths.h"

#include <algorithm>
#include <iterator>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// A base model that ships with the program.
struct BuiltInBase {
  const char* name;
  const char* resource;
};
constexpr BuiltInBase kBuiltInBases[] = {{"demo", "demo/mini-sdxl.safetensors"},
                                         {"demo-z-image", "demo/mini-z-image"}};

}  // namespace

bool is_built_in(const fs::path& path) {
  return std::any_of(std::begin(kBuiltInBases), std::end(kBuiltInBases),
                     [&](const BuiltInBase& base) { return path == base.name; });
}

namespace {

std::vector<fs::path> resolve_folders(const std::vector<fs::path>& folders) {
  std::vector<fs::path> resolved;
  for (const fs::path& folder : folders) {
    resolved.push_back(is_built_in(folder) ? resource_path("demo/images") : folder);
  }
  return resolved;
}

}  // namespace

fs::path resolve_base(const fs::path& base) {
  for (const BuiltInBase& built_in : kBuiltInBases) {
    if (base == built_in.name) {
      return resource_path(built_in.resource);
    }
  }
  if (base.empty()) {
    throw Error(message<"no base model given (--base). Choose a .safetensors file, a diffusers "
                        "folder or demo">());
  }
  if (!fs::exists(base)) {
    throw Error(message<"{path}: no such base model. Pass a .safetensors file or a diffusers "
                        "folder">(path_to_utf8(base)));
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
  return {resolve_images(job.images), resolve_folders(job.prior), resolve_folders(job.validation)};
}

void require_image_folder(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_directory(folder, none)) {
    throw Error(message<"{path}: no such folder of images">(path_to_utf8(folder)));
  }
}

bool is_preset_alone(const JobSpec& job) {
  return job.images.empty() && job.prior.empty() && job.validation.empty() && job.out.empty() &&
         !job.resume && !job.continue_from && !job.replay && !job.trace;
}

fs::path runs_folder() {
  return data_dir() / "runs";
}

}  // namespace mantissa
