#include "engine/data/folder_repeats.h"

#include <algorithm>

#include "engine/core/paths.h"
#include "engine/core/python_int.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// An image's folder, also that of a path such as "./a.png", without a separator at its end.
fs::path own_folder(const ImageItem& item) {
  const fs::path folder = fs::absolute(item.path.parent_path()).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

/// The folder that was given, around which no name counts.
fs::path given_folder(const ImageItem& item) {
  fs::path folder = own_folder(item);
  for (auto below = std::count(item.name.begin(), item.name.end(), '/'); below > 0; --below) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

FolderName folder_name(std::string_view name) {
  constexpr int kMost = 10'000;  // as data.repeats
  const std::string_view number = name.substr(0, name.find('_'));
  const std::optional<std::int64_t> repeats = python_int(number);
  if (!repeats || *repeats > kMost) {
    return {std::nullopt, name, repeats.has_value()};
  }
  return {static_cast<int>(std::max<std::int64_t>(*repeats, -kMost)),
          name.substr(std::min(number.size() + 1, name.size()))};
}

std::vector<std::string> folders_around(const ImageItem& item) {
  const auto below = std::count(item.name.begin(), item.name.end(), '/');
  fs::path folder = own_folder(item);
  std::vector<std::string> names;
  for (std::ptrdiff_t i = 0; i <= below; ++i, folder = folder.parent_path()) {
    names.push_back(path_to_utf8(folder.filename()));
  }
  return names;
}

std::optional<int> named_repeats(const ImageItem& item) {
  for (const std::string& name : folders_around(item)) {
    if (const std::optional<int> repeats = folder_name(name).repeats) {
      return repeats;
    }
  }
  return std::nullopt;
}

std::optional<std::string> numbered_folder(const ImageItem& item) {
  constexpr int kPlausible = 500;  // years and the numbers of cameras are above, or begin with 0
  for (std::string& name : folders_around(item)) {
    const FolderName found = folder_name(name);
    if (found.repeats && !found.caption.empty()) {
      const bool plausible =
          *found.repeats >= 1 && *found.repeats <= kPlausible && !name.starts_with('0');
      return plausible ? std::optional(std::move(name)) : std::nullopt;
    }
  }
  return std::nullopt;
}

void apply_folder_name(ImageItem& item) {
  item.repeats = std::max(named_repeats(item).value_or(1), 1);
  if (item.caption_source == "folder") {
    item.caption = std::string(folder_name(item.caption).caption);
  }
}

void FolderSelection::add(const ImageItem& item) {
  for (const std::string& name : folders_around(item)) {
    const FolderName found = folder_name(name);
    if (found.beyond) {
      beyond_.insert(name);
    }
    if (found.beyond || found.repeats) {
      break;
    }
  }
  if (named_repeats(item)) {
    numbered_.insert(given_folder(item));
  }
}

bool FolderSelection::leaves_out(const ImageItem& item) const {
  const std::optional<int> repeats = named_repeats(item);
  return repeats ? *repeats < 1 : numbered_.contains(given_folder(item));
}

void FolderSelection::drop(const ImageItem& item) {
  ++dropped_[path_to_utf8(item.path.parent_path())];
}

std::vector<Message> FolderSelection::notices() const {
  std::vector<Message> list;
  if (!dropped_.empty()) {
    std::vector<Message> folders;
    for (const auto& [folder, images] : dropped_) {
      folders.push_back(message<"{folder} ({count})">(folder, images));
    }
    list.push_back(
        message<"data.folder_repeats leaves out folders as sd-scripts does, whose name begins "
                "with 0, or with no number of repeats beside others that do (images): {folders}">(
            joined<", ">(std::move(folders))));
  }
  if (!beyond_.empty()) {
    std::vector<Message> folders;
    for (const std::string& folder : beyond_) {
      folders.push_back(Message::verbatim(folder));
    }
    list.push_back(
        message<"data.folder_repeats takes at most 10000 repeats; these folders ask for more and "
                "count as folders without a number: {folders}">(joined<", ">(std::move(folders))));
  }
  return list;
}

}  // namespace mantissa
