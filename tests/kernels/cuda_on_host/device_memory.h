#pragma once
// Memory whose misuse is detected immediately.
// Uses the system's memory protection. If it ends the process, a message on stderr says what was
// touched.

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace cuda_on_host {

class DeviceMemory;

/// One allocation of a DeviceMemory, with a guard page at either end of its mapping.
struct DeviceBlock {
  void* mapping = nullptr;
  std::size_t mapped = 0, bytes = 0;
  const DeviceMemory* owner = nullptr;
  bool open = true;  ///< its pages can be touched

  void reach(bool on);
  /// For the handler of faults: opens a block touched during a DeviceAccess; false if that isn't
  /// why the address can't be touched.
  bool open_at(const char* address);
};

/// Fake device memory: inaccessible to the host except during a DeviceAccess. Blocks start as NaNs
/// of every float type and end at guard pages. An access opens only the blocks that it touches, as
/// each opening and closing is a call of the system.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t limit) : limit_(limit) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// 256-byte aligned; null if the limit does not allow it.
  void* allocate(std::size_t bytes);
  /// False if `data` is not a block.
  bool release(void* data);
  std::size_t used() const { return used_; }
  /// Peak use since `reset_peak`.
  std::size_t peak() const { return peak_; }
  void reset_peak() { peak_ = used_; }
  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  /// Without it the host can access blocks freely; for speed.
  void set_protected(bool on);
  bool is_accessed() const { return access_ > 0; }
  /// Whether [data, data + bytes) lies within one block.
  bool contains(const void* data, std::size_t bytes) const;
  /// Throws std::runtime_error if something was written just beyond a block.
  void check_guards() const;

 private:
  friend class DeviceAccess;
  std::map<const char*, DeviceBlock> blocks_;  ///< by their first byte
  std::size_t limit_ = 0, used_ = 0, peak_ = 0;
  bool protected_ = true;
  int access_ = 0;
};

/// Makes device memory accessible during its lifetime.
class DeviceAccess {
 public:
  explicit DeviceAccess(DeviceMemory& memory);
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

 private:
  DeviceMemory& memory_;
};

/// A buffer reused with another size for each block of a grid.
class GuardedBuffer {
 public:
  /// `what` names it in errors.
  GuardedBuffer(std::size_t most, std::string what);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  /// `bytes` of NaNs, 16-byte aligned, with guards around them.
  void* open(std::size_t bytes);
  /// Throws std::runtime_error if a guard was written to since `open`.
  void check() const;

 private:
  char* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::string what_;
  char *begin_ = nullptr, *end_ = nullptr;
};

}  // namespace cuda_on_host
