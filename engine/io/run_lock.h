#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace mantissa {

/// An operating-system lock, so that one process owns a run folder: on `file` (made when missing)
/// and, where the file system can, on its folder too. So a lock file that is deleted while it is
/// held lets nobody in. Released by the system even when the process dies.
class RunLock {
 public:
  /// Throws Error naming the file when another process (or another RunLock) holds it.
  explicit RunLock(const std::filesystem::path& file);
  /// Empty when somebody else holds it.
  static std::optional<RunLock> try_acquire(const std::filesystem::path& file);
  /// Whether somebody holds it. Makes nothing.
  static bool is_held(const std::filesystem::path& file);
  ~RunLock();
  RunLock(RunLock&&) noexcept;
  RunLock& operator=(RunLock&&) noexcept;

  /// To be called before something is written to the folder. False where file and folder are still
  /// those that were locked; true where the file was gone and is made and locked again, which only
  /// the lock on the folder allows. Throws Error when somebody else may own the folder by now.
  bool renew();

 private:
  RunLock() = default;
  bool acquire(const std::filesystem::path& file);
  void release();

  std::filesystem::path file_;
  std::intptr_t handle_ = -1, folder_ = -1;
};

}  // namespace mantissa
