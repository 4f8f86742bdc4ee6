#include "engine/core/memory_limit.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/resource.h>
#endif

namespace mantissa {

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void limit_own_memory(std::uint64_t bytes) {
  // Not RLIMIT_AS: mapped files are no memory, and models are large.
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_max >= bytes) {
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_DATA, &limit);
  }
}
#else
void limit_own_memory(std::uint64_t) {}
#endif

}  // namespace mantissa
