// Preloaded into a program under test: kills it at its N-th change of the file system.
//   MANTISSA_KILL_AT=N     SIGKILL instead of the N-th counted call (0: never)
//   MANTISSA_KILL_SCOPE=S  count only calls on paths that contain S (empty: all)
//   MANTISSA_KILL_COUNT=F  append the number of counted calls to F at exit
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::atomic<long> g_calls{0};

template <typename F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

void count(const std::string& path) {
  static const char* scope = std::getenv("MANTISSA_KILL_SCOPE");
  static const long at =
      std::getenv("MANTISSA_KILL_AT") ? std::atol(std::getenv("MANTISSA_KILL_AT")) : 0;
  if (scope != nullptr && path.find(scope) == std::string::npos) {
    return;
  }
  if (++g_calls == at) {
    raise(SIGKILL);
  }
}

std::string path_of(int fd) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path);
  return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : std::string();
}

struct AtExit {
  ~AtExit() {
    if (const char* file = std::getenv("MANTISSA_KILL_COUNT")) {
      if (FILE* f = std::fopen(file, "a")) {
        std::fprintf(f, "%ld\n", g_calls.load());
        std::fclose(f);
      }
    }
  }
} g_at_exit;

}  // namespace

extern "C" {

ssize_t write(int fd, const void* data, size_t bytes) {
  if (fd > 2) {
    count(path_of(fd));
  }
  return real<ssize_t (*)(int, const void*, size_t)>("write")(fd, data, bytes);
}
ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t at) {
  count(path_of(fd));
  return real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64")(fd, data, bytes, at);
}
int fsync(int fd) {
  count(path_of(fd));
  return real<int (*)(int)>("fsync")(fd);
}
int fdatasync(int fd) {
  count(path_of(fd));
  return real<int (*)(int)>("fdatasync")(fd);
}
int rename(const char* from, const char* to) {
  count(from);
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}
int mkdir(const char* path, mode_t mode) {
  count(path);
  return real<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}
int unlink(const char* path) {
  count(path);
  return real<int (*)(const char*)>("unlink")(path);
}
int unlinkat(int folder, const char* path, int flags) {
  count(path_of(folder) + "/" + path);
  return real<int (*)(int, const char*, int)>("unlinkat")(folder, path, flags);
}

}  // extern "C"
