#pragma once
// Memory whose wrong use is seen at once.
//
// All that the system's memory protection does for the tests. Where the protection ends the
// process, a sentence on stderr says what was touched.

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace cuda_on_host {

/// What stands in for a card's memory: out of reach for the host but while a DeviceAccess lives.
/// Blocks start as NaNs of every float type and end at pages nobody may touch.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t limit) : limit_(limit) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// 256-byte aligned; null where the limit does not allow it.
  void* allocate(std::size_t bytes);
  /// False where `data` is no block.
  bool release(void* data);
  std::size_t used() const { return used_; }
  /// The most that was used at a time since `reset_peak`.
  std::size_t peak() const { return peak_; }
  void reset_peak() { peak_ = used_; }
  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  /// Without it the host may read and write blocks as it likes; for speed.
  void set_protected(bool on);
  /// Whether [data, data + bytes) lies within one block.
  bool contains(const void* data, std::size_t bytes) const;
  /// Throws std::runtime_error where something was written just behind a block.
  void check_guards() const;

 private:
  friend class DeviceAccess;
  struct Block {
    void* mapping = nullptr;
    std::size_t mapped = 0, bytes = 0;
  };
  void reach(const Block& block, bool on) const;

  std::map<const char*, Block> blocks_;  ///< by their first byte
  std::size_t limit_ = 0, used_ = 0, peak_ = 0;
  bool protected_ = true;
  int access_ = 0;
};

/// Device memory can be touched while one of these lives.
class DeviceAccess {
 public:
  explicit DeviceAccess(DeviceMemory& memory);
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

 private:
  DeviceMemory& memory_;
};

/// A buffer that is used anew with another size for each block of a grid.
class GuardedBuffer {
 public:
  /// `what` names it in errors.
  GuardedBuffer(std::size_t most, std::string what);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  /// `bytes` of NaNs, 16-byte aligned, with guards around them.
  void* open(std::size_t bytes);
  /// Throws std::runtime_error where a guard was written to since `open`.
  void check() const;

 private:
  char* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::string what_;
  char *begin_ = nullptr, *end_ = nullptr;
};

}  // namespace cuda_on_host
