// Preloaded into a program under test: the system refuses its N-th thread and all after it.
//   MANTISSA_THREADS=N
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  static std::atomic<long> created{0};
  const char* allowed = std::getenv("MANTISSA_THREADS");
  if (allowed != nullptr && ++created > std::atol(allowed)) {
    return EAGAIN;
  }
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, start, argument);
}
