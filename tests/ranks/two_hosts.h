#pragma once

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "tests/test_util.h"

namespace mantissa {

/// Two hosts on this machine, `host-a` and `host-b`, as tests/ranks/two_hosts.py makes them.
class TwoHosts {
 public:
  TwoHosts() {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
      return;
    }
    script_ = fork();
    if (script_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      execlp("python3", "python3", MANTISSA_SOURCE_DIR "/tests/ranks/two_hosts.py",
             folder_.path().c_str(), "--delay", "1", "--loss", "0.5", nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    commands_ = in[1];
    char text[512];
    for (ssize_t got = 0; said_.find("ready\n") == std::string::npos &&
                          (got = read(out[0], text, sizeof text)) > 0;) {
      said_.append(text, static_cast<std::size_t>(got));
    }
    close(out[0]);
  }
  ~TwoHosts() {
    close(commands_);
    waitpid(script_, nullptr, 0);
  }
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;

  bool ready() const { return said_.find("ready\n") != std::string::npos; }
  /// Why not.
  const std::string& said() const { return said_; }

  void cut() { tell("cut\n"); }
  void mend() { tell("mend\n"); }

  /// Two processes on each, started on host-a, with `settings` of the launcher.
  std::vector<std::string> mpirun(const std::vector<std::string>& settings) const {
    const std::string folder = folder_.path().string();
    std::vector<std::string> words{folder + "/enter",
                                   "a",
                                   "mpirun",
                                   "--allow-run-as-root",
                                   "--oversubscribe",
                                   "--mca",
                                   "plm_rsh_agent",
                                   folder + "/agent",
                                   "-x",
                                   "MANTISSA_HOME",
                                   "-x",
                                   "MANTISSA_RESOURCES",
                                   "--host",
                                   "host-a:2,host-b:2",
                                   "-n",
                                   "4"};
    words.insert(words.end(), settings.begin(), settings.end());
    return words;
  }

 private:
  void tell(const std::string& command) const {
    if (write(commands_, command.data(), command.size()) < 0) {
      perror("two_hosts.py");
    }
  }
  const test::TempFolder folder_;
  pid_t script_ = -1;
  int commands_ = -1;
  std::string said_;
};

}  // namespace mantissa
