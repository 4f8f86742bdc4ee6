#include "engine/notify/end_command.h"

#include <system_error>

#include "engine/core/paths.h"
#ifdef _WIN32
#include <cstdio>
#include <cstdlib>
#include <io.h>
#else
#include <cerrno>
#include <csignal>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace mantissa {
namespace {

#ifdef _WIN32
/// The command's exit status.
int run_in_shell(const std::string& command, const RunNotice& notice) {
  for (const auto& [name, value] : notice_variables(notice)) {
    _wputenv_s(path_from_utf8(name).c_str(), path_from_utf8(value).c_str());
  }
  // As ( ) around the command would, but for commands that hold a parenthesis themselves.
  std::fflush(stdout);
  const int kept = _dup(1);
  _dup2(2, 1);
  const int status = _wsystem(path_from_utf8(command).c_str());
  _dup2(kept, 1);
  _close(kept);
  return status;
}
#else
/// This process's environment, with a notice's variables in place of those of their names.
std::vector<std::string> environment_of(const RunNotice& notice) {
  const auto variables = notice_variables(notice);
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : variables) {
      replaced = replaced || text.starts_with(name + "=");
    }
    if (!replaced) {
      all.push_back(text);
    }
  }
  for (const auto& [name, value] : variables) {
    all.push_back(name + "=" + value.substr(0, value.find('\0')));
  }
  return all;
}

/// Starts the shell; 0 or an error number.
int start_shell(std::string command, std::vector<std::string> environment, pid_t& process) {
  std::string shell = "/bin/sh", option = "-c";
  char* const arguments[] = {shell.data(), option.data(), command.data(), nullptr};
  std::vector<char*> variables;
  for (std::string& text : environment) {
    variables.push_back(text.data());
  }
  variables.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  sigset_t ignored;  // by this program, not by those that it starts
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &ignored);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error =
      posix_spawn(&process, shell.c_str(), &files, &attributes, arguments, variables.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// The command's exit status, as a shell tells it: 128 and the signal's number if one ended it.
int run_in_shell(const std::string& command, const RunNotice& notice) {
  pid_t process = 0;
  if (const int error = start_shell(command, environment_of(notice), process); error != 0) {
    throw std::system_error(error, std::generic_category());
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
#endif

}  // namespace

Message run_end_command(const std::string& command, const RunNotice& notice) {
  try {
    const int status = run_in_shell(command, notice);
    return status == 0 ? Message()
                       : message<
                             "the command for the run's end failed with status {status}; the "
                             "run is as it was">(status);
  } catch (const std::system_error& e) {
    return message<"the command for the run's end could not be started: {reason}">(
        e.code().message());
  }
}

}  // namespace mantissa
