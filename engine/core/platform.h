#pragma once
// The platforms that Mantissa is built for, and what each of them can do.

#include <array>
#include <cstddef>
#include <string_view>

namespace mantissa {

enum class Platform { linux_x64, windows_x64 };

struct PlatformRow {
  Platform id;
  std::string_view name;           ///< in JSON: "linux-x64"
  std::string_view title;          ///< "Linux x86-64"
  std::string_view system;         ///< "Linux"
  bool cards = false;              ///< the CUDA library is built for it
  bool several_processes = false;  ///< one run may have several processes, linked by MPI
  std::string_view tested;         ///< where its tests run
  std::string_view cards_tried;    ///< cards on which the CUDA library has run; empty: none
};

/// In the order of Platform.
inline constexpr std::array kPlatforms{
    PlatformRow{.id = Platform::linux_x64,
                .name = "linux-x64",
                .title = "Linux x86-64",
                .system = "Linux",
                .cards = true,
                .several_processes = true,
                .tested = "on itself",
                .cards_tried = "H100, H200"},
    PlatformRow{.id = Platform::windows_x64,
                .name = "windows-x64",
                .title = "Windows x86-64",
                .system = "Windows",
                .cards = true,
                .tested = "under Wine"},
};

/// The platform that this program is built for; null for one without a row.
constexpr const PlatformRow* this_platform() {
#if defined(_WIN32)
  return &kPlatforms[static_cast<std::size_t>(Platform::windows_x64)];
#elif defined(__linux__)
  return &kPlatforms[static_cast<std::size_t>(Platform::linux_x64)];
#else
  return nullptr;
#endif
}

}  // namespace mantissa
