#pragma once
// The program `mantissa` as a separate process, on Windows; the same interface as ../process.h.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
#include <windows.h>

#include "engine/core/paths.h"
#include "tests/environment.h"

namespace mantissa {

/// There is no shim to preload: the environment as it is.
inline std::map<std::string, std::string> preloaded(std::map<std::string, std::string> shim) {
  return shim;
}

/// How a process ended.
struct Ended {
  int status = 0;
};

/// A started program; killed if it still runs at the end of the scope.
class Process {
 public:
  explicit Process(const PROCESS_INFORMATION& info)
      : handle_(info.hProcess), id_(info.dwProcessId) {
    CloseHandle(info.hThread);
  }
  Process(Process&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), id_(other.id_) {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (handle_ != nullptr) {
      kill();
      CloseHandle(handle_);
    }
  }
  DWORD id() const { return id_; }
  HANDLE handle() const { return handle_; }
  bool is_running() const { return WaitForSingleObject(handle_, 0) == WAIT_TIMEOUT; }
  void kill() {
    TerminateProcess(handle_, 9);
    WaitForSingleObject(handle_, INFINITE);
  }
  /// Its exit code; -1 if it had to be killed after five minutes.
  int wait() {
    constexpr DWORD kMilliseconds = 300'000;
    if (WaitForSingleObject(handle_, kMilliseconds) == WAIT_TIMEOUT) {
      kill();
      return -1;
    }
    DWORD code = 0;
    GetExitCodeProcess(handle_, &code);
    return static_cast<int>(code);
  }

 private:
  HANDLE handle_;
  DWORD id_;
};

/// Variables of this process, which the programs started by it inherit; restored at the end of the
/// scope. "" removes one.
class ScopedEnvironment {
 public:
  explicit ScopedEnvironment(const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
      const std::wstring wide(name.begin(), name.end());
      const wchar_t* before = _wgetenv(wide.c_str());
      before_[name] = before == nullptr ? "" : path_to_utf8(std::filesystem::path(before));
      test::set_environment(name, value);
    }
  }
  ~ScopedEnvironment() {
    for (const auto& [name, value] : before_) {
      test::set_environment(name, value);
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  std::map<std::string, std::string> before_;
};

/// One argument as CommandLineToArgvW reads it back.
inline std::wstring quoted_argument(const std::wstring& text) {
  std::wstring quoted = L"\"";
  std::size_t slashes = 0;
  for (const wchar_t c : text) {
    if (c == L'"') {
      quoted.append(slashes + 1, L'\\');
    }
    slashes = c == L'\\' ? slashes + 1 : 0;
    quoted += c;
  }
  quoted.append(slashes, L'\\');  // before the closing quote each counts twice
  return quoted + L"\"";
}

/// The program `mantissa` beside this one.
class Mantissa {
 public:
  /// `home` becomes MANTISSA_HOME; "": it is not set.
  explicit Mantissa(std::filesystem::path home) : home_(std::move(home)) {}

  /// Starts `mantissa <arguments>`; standard output and errors go to `output`. `flags`: of
  /// CreateProcess.
  Process start(const std::vector<std::string>& arguments, const std::filesystem::path& output,
                const std::map<std::string, std::string>& environment = {}, DWORD flags = 0) const {
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    HANDLE file = CreateFileW(output.c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE,
                              &inherited, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    const std::wstring program = (executable_folder() / "mantissa.exe").wstring();
    std::wstring line = quoted_argument(program);
    for (const std::string& argument : arguments) {
      line += L" " + quoted_argument(path_from_utf8(argument).wstring());
    }
    std::map<std::string, std::string> variables = environment;
    variables.emplace("MANTISSA_HOME", path_to_utf8(home_));
    variables.emplace("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    const ScopedEnvironment scope(variables);
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = startup.hStdError = file;
    PROCESS_INFORMATION info{};
    const bool started = CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                                        nullptr, nullptr, &startup, &info) != 0;
    const auto code = static_cast<int>(GetLastError());
    CloseHandle(file);
    if (!started) {
      throw std::system_error(code, std::system_category(), "mantissa.exe could not be started");
    }
    return Process(info);
  }

  Ended run(const std::vector<std::string>& arguments, const std::filesystem::path& output,
            const std::filesystem::path& = {},
            const std::map<std::string, std::string>& environment = {}) const {
    return {start(arguments, output, environment).wait()};
  }

 private:
  std::filesystem::path home_;
};

}  // namespace mantissa
