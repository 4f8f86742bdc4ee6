#pragma once

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace mantissa {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#else
inline constexpr bool kAddressSanitizer = false;
#endif

/// The environment of a program with the shim of shim/file_shim.cpp, configured by `shim`; empty if
/// that is empty.
inline std::map<std::string, std::string> preloaded(std::map<std::string, std::string> shim) {
  if (shim.empty()) {
    return shim;
  }
  shim["LD_PRELOAD"] = MANTISSA_BINARY_DIR "/lib/libfile_shim.so";
  if (kAddressSanitizer) {  // which refuses to start after another library
    const char* options = std::getenv("ASAN_OPTIONS");
    shim["ASAN_OPTIONS"] =
        std::string(options == nullptr ? "" : options) + ":verify_asan_link_order=0";
  }
  return shim;
}

/// How a process ended.
struct Ended {
  int status = 0;                ///< exit code, or minus the signal that killed it
  std::uint64_t peak_bytes = 0;  ///< resident
};

/// The program `mantissa` of this build as a separate process.
class Mantissa {
 public:
  static constexpr const char* kProgram = MANTISSA_BINARY_DIR "/bin/mantissa";

  /// `home` becomes MANTISSA_HOME.
  explicit Mantissa(std::filesystem::path home) : home_(std::move(home)) {}
  /// A program started by another: `launcher` and its arguments precede the program's name.
  Mantissa(std::filesystem::path home, std::vector<std::string> launcher)
      : home_(std::move(home)), launcher_(std::move(launcher)) {}

  /// Starts `mantissa <arguments>`; standard output goes to `output`, errors to `errors` or, if
  /// empty, to `output` too. `prepare` is called in the new process, for its limits.
  pid_t start(const std::vector<std::string>& arguments, const std::filesystem::path& output,
              const std::filesystem::path& errors = {},
              const std::map<std::string, std::string>& environment = {},
              const std::function<void()>& prepare = {}) const {
    std::fflush(nullptr);  // else the child prints it again
    const pid_t child = fork();
    if (child != 0) {
      return child;
    }
    setenv("MANTISSA_HOME", home_.c_str(), 1);
    setenv("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources", 1);
    for (const auto& [key, value] : environment) {
      setenv(key.c_str(), value.c_str(), 1);
    }
    std::vector<std::string> words = launcher_;
    words.emplace_back(kProgram);
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> list;
    for (std::string& word : words) {
      list.push_back(word.data());
    }
    list.push_back(nullptr);
    const bool redirected = std::freopen(output.c_str(), "w", stdout) != nullptr &&
                            (errors.empty() ? dup2(fileno(stdout), fileno(stderr)) >= 0
                                            : std::freopen(errors.c_str(), "w", stderr) != nullptr);
    if (redirected) {
      if (prepare) {
        prepare();
      }
      execvp(list[0], list.data());
    }
    _exit(127);
  }

  static Ended wait(pid_t child) {
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    return {WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status),
            static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
  }

  Ended run(const std::vector<std::string>& arguments, const std::filesystem::path& output,
            const std::filesystem::path& errors = {},
            const std::map<std::string, std::string>& environment = {},
            const std::function<void()>& prepare = {}) const {
    return wait(start(arguments, output, errors, environment, prepare));
  }

 private:
  std::filesystem::path home_;
  std::vector<std::string> launcher_;
};

}  // namespace mantissa
