#include "engine/io/neighbour_files.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "engine/core/paths.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// A folder may hold anything: its entries are counted, so that a listing ends.
constexpr std::size_t kMostEntries = 10'000;

/// Its weight files, sorted. Only regular files: opening a pipe would wait for its writer.
std::vector<fs::path> weight_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (std::size_t count = 0; !error && at != fs::directory_iterator() && count < kMostEntries;
       ++count, at.increment(error)) {
    const fs::path ending = at->path().extension();
    std::error_code none;
    if ((ending == ".safetensors" || ending == ".gguf") && at->is_regular_file(none)) {
      files.push_back(at->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<fs::path> neighbour_folders(const fs::path& file) {
  const fs::path own = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  const fs::path inside = fs::absolute(own / file.filename(), error).lexically_normal();
  const fs::path models = inside.parent_path().parent_path();
  std::vector<fs::path> folders{own};
  for (const char* name : {"text_encoders", "clip", "vae"}) {
    const fs::path folder = models / name;
    if (fs::is_directory(folder, error) && !fs::equivalent(folder, own, error)) {
      folders.push_back(folder);
    }
  }
  return folders;
}

std::vector<fs::path> neighbour_files(const fs::path& file) {
  std::set<fs::path> seen{real_path(file), fs::path()};
  std::vector<fs::path> files;
  for (const fs::path& folder : neighbour_folders(file)) {
    std::size_t taken = 0;
    for (fs::path& found : weight_files_in(folder)) {
      if (taken == kMostNeighbours) {
        break;
      }
      if (seen.insert(real_path(found)).second) {
        files.push_back(std::move(found));
        ++taken;
      }
    }
  }
  return files;
}

}  // namespace mantissa
