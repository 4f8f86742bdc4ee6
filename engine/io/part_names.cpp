#include "engine/io/part_names.h"

#include <algorithm>
#include <array>

#include "engine/io/family.h"

namespace mantissa {

namespace {

constexpr std::string_view kTextFolder = "text_encoder";

/// Those of most models, whose names tell the part. If "transformer" and "unet" are both present,
/// the former is used.
constexpr std::array<std::string_view, 7> kUsualFolders{
    "transformer",    "unet",           "text_encoder", "text_encoder_2",
    "text_encoder_3", "text_encoder_4", "vae"};

bool is_usual(std::string_view folder) {
  return std::ranges::find(kUsualFolders, folder) != kUsualFolders.end();
}

}  // namespace

std::string part_name(Part part) {
  return part == kDenoiser ? "unet" : std::string(part.name());
}

std::string part_folder(Part part) {
  if (!is_text(part)) {
    return part_name(part);
  }
  const std::uint32_t number = stream_of(part);
  return std::string(kTextFolder) + (number == 1 ? "" : "_" + std::to_string(number));
}

std::optional<Part> part_of_folder(std::string_view folder) {
  if (!is_usual(folder)) {
    for (const Family* family : families()) {
      for (const PartFiles& files : family->parts) {
        if (files.folder == folder) {
          return files.part;
        }
      }
    }
    return std::nullopt;
  }
  if (!folder.starts_with(kTextFolder)) {
    return part_called(folder);
  }
  return Part("te" + (folder == kTextFolder ? "1" : std::string(folder.substr(13))));
}

std::vector<std::string_view> part_folders() {
  std::vector<std::string_view> folders(kUsualFolders.begin(), kUsualFolders.end());
  for (const Family* family : families()) {
    for (const PartFiles& files : family->parts) {
      if (std::ranges::find(folders, files.folder) == folders.end()) {
        folders.insert(folders.end() - 1, files.folder);  // before the VAE's
      }
    }
  }
  return folders;
}

}  // namespace mantissa
