#include "engine/data/folder_repeats.h"

#include <algorithm>
#include <charconv>

#include "engine/core/paths.h"

namespace mantissa {

namespace fs = std::filesystem;

FolderName folder_name(std::string_view name) {
  constexpr int kMost = 10'000;  // as data.repeats
  int repeats = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), repeats);
  const auto length = static_cast<std::size_t>(end - name.data());
  const bool counts = error == std::errc{} && repeats >= 1 && repeats <= kMost &&
                      length + 1 < name.size() && name[length] == '_';
  return counts ? FolderName{repeats, name.substr(length + 1)} : FolderName{1, name};
}

std::vector<std::string> folders_around(const ImageItem& item) {
  const auto below = std::count(item.name.begin(), item.name.end(), '/');
  fs::path folder = fs::absolute(item.path.parent_path()).lexically_normal();
  if (!folder.has_filename()) {
    folder = folder.parent_path();
  }
  std::vector<std::string> names;
  for (std::ptrdiff_t i = 0; i <= below; ++i, folder = folder.parent_path()) {
    names.push_back(path_to_utf8(folder.filename()));
  }
  return names;
}

int named_repeats(const ImageItem& item) {
  for (const std::string& name : folders_around(item)) {
    if (const int repeats = folder_name(name).repeats; repeats > 1) {
      return repeats;
    }
  }
  return 1;
}

void apply_folder_name(ImageItem& item) {
  item.repeats = named_repeats(item);
  if (item.caption_source == "folder") {
    item.caption = std::string(folder_name(item.caption).caption);
  }
}

}  // namespace mantissa
