#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sanitizer/allocator_interface.h>

namespace mantissa {

/// Limits during its lifetime: at most 64 MB on top of the input, one second of the processor's
/// time plus one per megabyte, and no file may be opened. Violations abort, which the fuzzer
/// reports with the input.
class Bounds {
 public:
  explicit Bounds(std::size_t input_bytes) : bytes_(input_bytes) {
    static const bool hooked = __sanitizer_install_malloc_and_free_hooks(given, taken_back) > 0;
    if (!hooked) {
      fail("the sanitizer's allocator can't be watched");
    }
    live_ = most_ = 0;
    active_ = true;
  }
  ~Bounds() {
    active_ = false;
    constexpr double kMegabyte = 1 << 20;
    const double megabytes = static_cast<double>(bytes_) / kMegabyte;
    const double took = static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
    if (static_cast<double>(most_) > (megabytes + 64) * kMegabyte) {
      fail("an input took too much memory");
    }
    if (took > 1 + megabytes) {
      fail("an input took too long");
    }
  }
  Bounds(const Bounds&) = delete;
  Bounds& operator=(const Bounds&) = delete;

  /// Called when a file is opened.
  static void file_opened() {
    if (active_) {
      active_ = false;
      fail("an input made the reader open a file");
    }
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "\n%s\n", what);
    std::abort();
  }
  static void given(const volatile void*, std::size_t bytes) {
    if (active_) {
      live_ += static_cast<std::ptrdiff_t>(bytes);
      most_ = std::max(most_, live_);
    }
  }
  static void taken_back(const volatile void* data) {
    if (active_ && data != nullptr) {
      live_ -= static_cast<std::ptrdiff_t>(
          __sanitizer_get_allocated_size(const_cast<const void*>(data)));
    }
  }

  static inline bool active_ = false;
  static inline std::ptrdiff_t live_ = 0, most_ = 0;
  std::size_t bytes_;
  std::clock_t start_ = std::clock();
};

}  // namespace mantissa
