#include "engine/io/composed_name.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/utf8.h"
#include "engine/io/clip_text.h"

namespace mantissa {

std::string composed(std::string_view name) {
  if (utf8_error_offset(name) != std::string_view::npos) {
    return std::string(name);
  }
  try {
    return nfc(name);
  } catch (const Error&) {  // nothing that is a name comes to this
    return std::string(name);
  }
}

std::string composed_path(const std::filesystem::path& file) {
  return path_to_utf8(file.parent_path()) + "/" + composed(path_to_utf8(file.filename()));
}

}  // namespace mantissa
