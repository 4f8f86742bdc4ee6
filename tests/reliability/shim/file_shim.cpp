// Preloaded into a program under test: counts its changes of the file system, kills it at one of
// them, lets calls fail, records all of them, or lets the clock jump.
//   MANTISSA_SHIM_SCOPE=S  only calls on paths that contain S (empty: all); on a run's status.jsonl
//                          only if S names it
//   MANTISSA_SHIM_COUNT=F  append the number of counted calls to F at exit
//   MANTISSA_KILL_AT=N     SIGKILL instead of the N-th counted call (0: never)
//   MANTISSA_STOP_AT=N     SIGSTOP before it: whoever waits for that may change files meanwhile
//   MANTISSA_FAIL_AT=N     the N-th counted call fails, or falls short; later ones succeed
//   MANTISSA_FAIL_FROM=N   this one and all after it
//   MANTISSA_FAIL=E        how: EIO, ENOSPC, EDQUOT, EROFS, EINTR (once each), short (one byte
//   only) MANTISSA_TRACE=F       append every call below MANTISSA_TRACE_ROOT with its bytes to F,
//   in the
//                          format of file_trace.h
//   MANTISSA_OPENED=F      append the path of every file that is opened, to read or to write, to F
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <signal.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tests/reliability/shim/file_trace.h"

namespace {

using mantissa::FileCall;

template <typename F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

long number_of(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

/// For MANTISSA_OPENED.
void note_opened(const std::string& path) {
  static const char* const file = std::getenv("MANTISSA_OPENED");
  if (file != nullptr) {
    const int fd = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    const std::string line = path + "\n";
    (void)!syscall(SYS_write, fd, line.data(), line.size());
    syscall(SYS_close, fd);
  }
}

std::string path_of(int fd) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path);
  return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : std::string();
}

std::string absolute(int folder, const char* path) {
  if (path[0] == '/') {
    return path;
  }
  char cwd[4096];
  const std::string base = folder == AT_FDCWD
                               ? std::string(getcwd(cwd, sizeof cwd) == nullptr ? "" : cwd)
                               : path_of(folder);
  return base + "/" + path;
}

// ---- counting, killing, failing
// ------------------------------------------------------------------
constexpr int kShort = -1;  // as an errno: the call does less than requested

/// How often it is written depends on the time that a run takes.
constexpr const char* kStatus = "status.jsonl";

std::atomic<long> g_calls{0};

int failure_code() {
  static const struct {
    const char* name;
    int code;
  } kCodes[] = {{"EIO", EIO},     {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},
                {"EROFS", EROFS}, {"EINTR", EINTR},   {"short", kShort}};
  const char* wanted = std::getenv("MANTISSA_FAIL");
  for (const auto& entry : kCodes) {
    if (wanted != nullptr && std::strcmp(wanted, entry.name) == 0) {
      return entry.code;
    }
  }
  return EIO;
}

/// Counts a call; 0 if it may proceed, else its failure.
int before(const std::string& path) {
  static const char* const scope = std::getenv("MANTISSA_SHIM_SCOPE");
  static const long kill_at = number_of("MANTISSA_KILL_AT");
  static const long stop_at = number_of("MANTISSA_STOP_AT");
  static const long fail_at = number_of("MANTISSA_FAIL_AT");
  static const long fail_from = number_of("MANTISSA_FAIL_FROM");
  static const int code = failure_code();
  static const bool with_status = scope != nullptr && std::strstr(scope, kStatus) != nullptr;
  if (scope != nullptr && path.find(scope) == std::string::npos) {
    return 0;
  }
  if (!with_status && path.find(kStatus) != std::string::npos) {
    return 0;
  }
  const long call = ++g_calls;
  if (call == kill_at) {
    raise(SIGKILL);
  }
  if (call == stop_at) {
    kill(getpid(), SIGSTOP);
  }
  return call == fail_at || (fail_from > 0 && call >= fail_from) ? code : 0;
}

/// For calls that can't be partial, and few of which can be interrupted.
bool refused(const std::string& path, bool interruptible = false) {
  const int code = before(path);
  if (code == kShort || (code == EINTR && !interruptible)) {
    return false;
  }
  if (code > 0) {
    errno = code;
  }
  return code > 0;
}

struct AtExit {
  ~AtExit() {
    if (const char* file = std::getenv("MANTISSA_SHIM_COUNT")) {
      if (FILE* f = std::fopen(file, "a")) {
        std::fprintf(f, "%ld\n", g_calls.load());
        std::fclose(f);
      }
    }
  }
} g_at_exit;

// ---- recording
// -----------------------------------------------------------------------------------
/// Held around a call and its record, so that records are in call order.
class Recorder {
 public:
  Recorder() {
    if (active()) {
      mutex().lock();
    }
  }
  ~Recorder() {
    if (active()) {
      mutex().unlock();
    }
  }
  static bool active() { return file() >= 0; }

  void record(FileCall call, const std::string& path, std::int64_t offset = 0,
              std::string_view data = {}) const {
    static const std::string root =
        std::getenv("MANTISSA_TRACE_ROOT") ? std::getenv("MANTISSA_TRACE_ROOT") : "/";
    if (!active() || path.compare(0, root.size(), root) != 0) {
      return;
    }
    const std::string bytes = mantissa::pack_call({call, path, offset, std::string(data)});
    (void)!syscall(SYS_write, file(), bytes.data(), bytes.size());
  }
  void record(FileCall call, int fd, std::int64_t offset = 0, std::string_view data = {}) const {
    struct stat status {};
    if (active() && fstat(fd, &status) == 0 &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) && status.st_nlink > 0) {
      record(call, path_of(fd), offset, data);
    }
  }
  void opened(int fd, const std::string& path, int flags, bool existed) const {
    if (fd < 0 || !active()) {
      return;
    }
    if (!existed) {
      record(FileCall::create, path);
    } else if ((flags & O_TRUNC) != 0) {
      record(FileCall::truncate, fd, 0);
    }
  }

 private:
  static std::mutex& mutex() {
    static std::mutex* one = new std::mutex;  // outlives every static object that writes at exit
    return *one;
  }
  static int file() {
    static const int fd =
        std::getenv("MANTISSA_TRACE") == nullptr
            ? -1
            : static_cast<int>(syscall(SYS_openat, AT_FDCWD, std::getenv("MANTISSA_TRACE"),
                                       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    return fd;
  }
};

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

template <typename Call>
int open_with(const char* name, int folder, const char* path, int flags, Call call) {
  const std::string file = absolute(folder, path);
  note_opened(file);
  // Only what may change the file system counts.
  if ((flags & (O_CREAT | O_TRUNC)) != 0 && refused(file, true)) {
    return -1;
  }
  const Recorder recorder;
  const bool existed = exists(file);
  const int fd = call(name);
  const int code = errno;
  if ((flags & (O_CREAT | O_TRUNC)) != 0) {
    recorder.opened(fd, file, flags, existed);
  }
  errno = code;
  return fd;
}

mode_t mode_of(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(list, int)) : 0;
}

template <typename Write>
ssize_t write_with(int fd, const void* data, size_t bytes, Write write) {
  const int code = before(path_of(fd));
  if (code > 0) {
    errno = code;
    return -1;
  }
  const Recorder recorder;
  const ssize_t done = write(code == kShort && bytes > 1 ? 1 : bytes);
  const int result = errno;
  if (done > 0 && Recorder::active()) {
    recorder.record(FileCall::write, fd, lseek(fd, 0, SEEK_CUR) - done,
                    {static_cast<const char*>(data), static_cast<std::size_t>(done)});
  }
  errno = result;
  return done;
}

int sync_with(int fd, const char* name) {
  if (refused(path_of(fd))) {
    return -1;
  }
  const Recorder recorder;
  const int result = real<int (*)(int)>(name)(fd);
  if (result == 0) {
    recorder.record(FileCall::sync, fd);
  }
  return result;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_with("open", AT_FDCWD, path, flags, [=](const char* name) {
    return real<int (*)(const char*, int, mode_t)>(name)(path, flags, mode);
  });
}
int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_with("open64", AT_FDCWD, path, flags, [=](const char* name) {
    return real<int (*)(const char*, int, mode_t)>(name)(path, flags, mode);
  });
}
int openat(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_with("openat", folder, path, flags, [=](const char* name) {
    return real<int (*)(int, const char*, int, mode_t)>(name)(folder, path, flags, mode);
  });
}
FILE* fopen(const char* path, const char* how) {
  note_opened(absolute(AT_FDCWD, path));
  return real<FILE* (*)(const char*, const char*)>("fopen")(path, how);
}
/// Used by std::ofstream to open files; it writes to the descriptors itself.
FILE* fopen64(const char* path, const char* how) {
  const bool writes = how[0] != 'r';
  const std::string file = absolute(AT_FDCWD, path);
  note_opened(file);
  if (writes && refused(file)) {
    return nullptr;
  }
  const Recorder recorder;
  const bool existed = exists(file);
  FILE* opened = real<FILE* (*)(const char*, const char*)>("fopen64")(path, how);
  if (writes && opened != nullptr) {
    recorder.opened(fileno(opened), file, how[0] == 'w' ? O_TRUNC : 0, existed);
  }
  return opened;
}
ssize_t write(int fd, const void* data, size_t bytes) {
  if (fd <= 2) {
    return real<ssize_t (*)(int, const void*, size_t)>("write")(fd, data, bytes);
  }
  return write_with(fd, data, bytes, [=](size_t n) {
    return real<ssize_t (*)(int, const void*, size_t)>("write")(fd, data, n);
  });
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  std::string data;
  for (int i = 0; i < count; ++i) {
    data.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  }
  return write(fd, data.data(), data.size());
}
ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t at) {
  const int code = before(path_of(fd));
  if (code > 0) {
    errno = code;
    return -1;
  }
  const Recorder recorder;
  const ssize_t done = real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64")(
      fd, data, code == kShort && bytes > 1 ? 1 : bytes, at);
  if (done > 0) {
    recorder.record(FileCall::write, fd, at,
                    {static_cast<const char*>(data), static_cast<std::size_t>(done)});
  }
  return done;
}
int ftruncate64(int fd, off64_t size) {
  if (refused(path_of(fd))) {
    return -1;
  }
  const Recorder recorder;
  const int result = real<int (*)(int, off64_t)>("ftruncate64")(fd, size);
  if (result == 0) {
    recorder.record(FileCall::truncate, fd, size);
  }
  return result;
}
int fsync(int fd) {
  return sync_with(fd, "fsync");
}
int fdatasync(int fd) {
  return sync_with(fd, "fdatasync");
}
int rename(const char* from, const char* to) {
  const std::string old_path = absolute(AT_FDCWD, from);
  if (refused(old_path)) {
    return -1;
  }
  const Recorder recorder;
  const int result = real<int (*)(const char*, const char*)>("rename")(from, to);
  if (result == 0) {
    recorder.record(FileCall::rename, old_path, 0, absolute(AT_FDCWD, to));
  }
  return result;
}
int mkdir(const char* path, mode_t mode) {
  const std::string folder = absolute(AT_FDCWD, path);
  if (refused(folder)) {
    return -1;
  }
  const Recorder recorder;
  const int result = real<int (*)(const char*, mode_t)>("mkdir")(path, mode);
  if (result == 0) {
    recorder.record(FileCall::make_folder, folder);
  }
  return result;
}
int unlinkat(int folder, const char* path, int flags) {
  const std::string file = absolute(folder, path);
  if (refused(file)) {
    return -1;
  }
  const Recorder recorder;
  const int result = real<int (*)(int, const char*, int)>("unlinkat")(folder, path, flags);
  if (result == 0) {
    recorder.record(FileCall::remove, file);
  }
  return result;
}
int unlink(const char* path) {
  return unlinkat(AT_FDCWD, path, 0);
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  static const long jump = number_of("MANTISSA_CLOCK_JUMP");
  static std::atomic<long> looks{0};
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  if (jump != 0 && clock == CLOCK_REALTIME && result == 0 && ++looks > 200) {
    now->tv_sec += jump;
  }
  return result;
}
int remove(const char* path) {
  struct stat status {};
  const bool folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  return unlinkat(AT_FDCWD, path, folder ? AT_REMOVEDIR : 0);
}

}  // extern "C"
