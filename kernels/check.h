#pragma once
// defines: KernelError, check_kernel

#include <stdexcept>
#include <string>

namespace mantissa {

/// A kernel was called with views it can't take: a bug of the caller, caught before any write.
struct KernelError : std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws KernelError "[kernel] what" unless `ok`.
inline void check_kernel(bool ok, const char* kernel, const std::string& what) {
  if (!ok) {
    throw KernelError(std::string("[") + kernel + "] " + what);
  }
}

}  // namespace mantissa
