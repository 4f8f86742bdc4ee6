#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace mantissa {

/// An operating-system lock, so that one process owns a run folder: on `file` (created if missing)
/// and, if the file system supports it, on its folder too, so that deleting a held lock file lets
/// nobody in. Released by the system even if the process dies.
class RunLock {
 public:
  /// Throws Error naming the file if another process (or another RunLock) holds it.
  explicit RunLock(const std::filesystem::path& file);
  /// Empty if it is held elsewhere.
  static std::optional<RunLock> try_acquire(const std::filesystem::path& file);
  /// Whether it is held. Creates nothing.
  static bool is_held(const std::filesystem::path& file);
  ~RunLock();
  RunLock(RunLock&&) noexcept;
  RunLock& operator=(RunLock&&) noexcept;

  /// Call it before writing to the folder. False if file and folder are still those that were
  /// locked; true if the file was gone and has been created and locked again, which requires the
  /// folder's lock. Throws Error if another process may own the folder by now.
  bool renew();

 private:
  RunLock() = default;
  bool acquire(const std::filesystem::path& file);
  void release();

  std::filesystem::path file_;
  std::intptr_t handle_ = -1, folder_ = -1;
};

}  // namespace mantissa
