#include "engine/io/path_kind.h"

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/base_files.h"
#include "engine/io/gguf.h"
#include "engine/io/json_file.h"
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

/// Whether a JSON lists a base model's files. One that can't be read is told by its name.
bool lists_base_files(const fs::path& file, const std::string& name) {
  if (!name.ends_with(".json")) {
    return false;
  }
  try {
    const nlohmann::json fields = read_json(file);
    return fields.is_object() && fields.contains(kBaseFilesKey);
  } catch (const std::exception&) {
    return name.ends_with(".base.json");
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
  const std::string name = lower_ascii(path_to_utf8(path.filename()));
  if (name.ends_with(".gguf") || GgufFile::is_gguf(path) || lists_base_files(path, name)) {
    return PathKind::model;
  }
  return name.ends_with(".safetensors") && !carries_settings(path) ? PathKind::model
                                                                   : PathKind::settings;
}

}  // namespace mantissa
