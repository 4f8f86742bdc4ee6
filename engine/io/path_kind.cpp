#include "engine/io/path_kind.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/preset_file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

bool carries_settings(const fs::path& file) {
  try {
    import_preset_file(file);
    return true;
  } catch (const UnsupportedFamily&) {
    return true;  // whose import says so
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool is_model_folder(const fs::path& folder) {
  std::error_code none;
  for (const char* file : {"model_index.json", "unet/config.json", "transformer/config.json"}) {
    if (fs::exists(folder / file, none)) {
      return true;
    }
  }
  return false;
}

PathKind path_kind(const fs::path& path) {
  std::error_code none;
  if (fs::is_directory(path, none)) {
    return is_model_folder(path) ? PathKind::model : PathKind::images;
  }
  std::string suffix = path_to_utf8(path.extension());
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return suffix == ".safetensors" && !carries_settings(path) ? PathKind::model : PathKind::settings;
}

}  // namespace mantissa
