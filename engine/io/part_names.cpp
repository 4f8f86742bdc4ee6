#include "engine/io/part_names.h"

#include <algorithm>
#include <array>

namespace mantissa {

namespace {

constexpr std::string_view kTextFolder = "text_encoder";

/// Folder of a second text encoder that reads the first one's states.
constexpr std::string_view kConditionerFolder = "text_conditioner";

/// If "transformer" and "unet" are both present, the former is used.
constexpr std::array<std::string_view, 8> kFolders{
    "transformer",    "unet",           "text_encoder",     "text_encoder_2",
    "text_encoder_3", "text_encoder_4", kConditionerFolder, "vae"};

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
  if (std::find(kFolders.begin(), kFolders.end(), folder) == kFolders.end()) {
    return std::nullopt;
  }
  if (folder == kConditionerFolder) {
    return kTe2;
  }
  if (!folder.starts_with(kTextFolder)) {
    return part_called(folder);
  }
  return Part("te" + (folder == kTextFolder ? "1" : std::string(folder.substr(13))));
}

std::span<const std::string_view> part_folders() {
  return kFolders;
}

}  // namespace mantissa
