#include "engine/cli/version.h"

#include <fmt/format.h>
#include <mantissa_commit.h>
#include <string_view>

#include "engine/core/platform.h"
#include "engine/io/library_versions.h"
#include "engine/store/store.h"

namespace mantissa {
namespace {

std::string_view system_of(const PlatformRow* platform) {
  return platform != nullptr ? platform->system : "another system";
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "an unknown compiler";
#endif
}

}  // namespace

std::string version_text() {
  std::string libraries = fmt::format("SQLite {}", database_library_version());
  for (const auto& [name, version] : file_library_versions()) {
    libraries += fmt::format(", {} {}", name, version);
  }
  constexpr std::string_view kCommit = MANTISSA_COMMIT;
  return fmt::format("mantissa {}\n{}\nbuilt by {} for {} x64\n{}", MANTISSA_VERSION,
                     kCommit.empty() ? "commit unknown" : fmt::format("commit {}", kCommit),
                     compiler(), system_of(this_platform()), libraries);
}

}  // namespace mantissa
