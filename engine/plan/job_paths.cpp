#include "engine/plan/job_paths.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDemo = "demo";

std::vector<fs::path> resolve_folders(const std::vector<fs::path>& folders) {
  std::vector<fs::path> resolved;
  for (const fs::path& folder : folders) {
    resolved.push_back(folder == kDemo ? resource_path("demo/images") : folder);
  }
  return resolved;
}

}  // namespace

fs::path resolve_base(const fs::path& base) {
  if (base == kDemo) {
    return resource_path("demo/mini-sdxl.safetensors");
  }
  if (base.empty()) {
    throw Error(message<"no base model given. Pass --base with a .safetensors file, a diffusers "
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
    throw Error(message<"no images given. Pass --images with a folder of images, or demo">());
  }
  return resolved;
}

SetFolders job_folders(const JobSpec& job) {
  return {resolve_images(job.images), resolve_folders(job.prior), resolve_folders(job.validation)};
}

fs::path runs_folder() {
  return data_dir() / "runs";
}

}  // namespace mantissa
