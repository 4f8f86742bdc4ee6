// The backends that the kernel tests run against here: CUDA's kernels on the host.
#include "tests/kernels/backends.h"

#include "tests/kernels/staged_kernels.h"

#include "host_backend.h"

namespace mantissa::testing {

std::vector<TestBackend> test_backends() {
  using cuda_on_host::Order;
  return {
      {"cuda_on_host", [] { return make_staged_kernels(make_cuda_on_host()); }},
      {"cuda_on_host_backwards",
       [] {
         return make_staged_kernels(make_cuda_on_host({.order = Order::by_warp, .capability = 90}));
       }},
      {"cuda_on_host_shuffled",
       [] { return make_staged_kernels(make_cuda_on_host({.order = Order::shuffled})); }}};
}

}  // namespace mantissa::testing
