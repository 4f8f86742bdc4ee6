#include "engine/io/library_versions.h"

#include <utf8proc.h>
#include <vips/vips.h>
#include <zlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace mantissa {
namespace {

/// "10.42 2022-12-11" -> "10.42"
std::string pcre2_version() {
  const int length = pcre2_config(PCRE2_CONFIG_VERSION, nullptr);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length <= 0 || pcre2_config(PCRE2_CONFIG_VERSION, text.data()) < 0) {
    return "?";
  }
  return text.substr(0, text.find_first_of(std::string_view(" \0", 2)));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> file_library_versions() {
  const std::string vips = std::to_string(vips_version(0)) + "." + std::to_string(vips_version(1)) +
                           "." + std::to_string(vips_version(2));
  return {{"libvips", vips},
          {"PCRE2", pcre2_version()},
          {"utf8proc", utf8proc_version()},
          {"zlib", zlibVersion()}};
}

}  // namespace mantissa
