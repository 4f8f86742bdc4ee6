#include "kernels/cuda/embedded/named_kernel.h"

#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/counts.h"
#include "kernels/cuda/embedded/device_code.h"
#include "kernels/cuda/embedded/kernel_names.h"
#include "kernels/cuda/grid.h"

namespace mantissa::cuda {
namespace {

std::vector<NamedKernel*>& named_kernels() {
  static std::vector<NamedKernel*> all;
  return all;
}

using KernelsByName = std::unordered_map<std::string, cudaKernel_t>;

void add_kernels_of(const void* code, KernelsByName& to) {
  cudaLibrary_t library = nullptr;  // stays loaded
  check_cuda(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0),
             "device code");
  unsigned count = 0;
  check_cuda(cudaLibraryGetKernelCount(&count, library), "device code");
  std::vector<cudaKernel_t> kernels(count);
  check_cuda(cudaLibraryEnumerateKernels(kernels.data(), count, library), "device code");
  for (cudaKernel_t kernel : kernels) {
    const char* name = nullptr;
    check_cuda(cudaFuncGetName(&name, kernel), "device code");
    to.emplace(kernel_named(name), kernel);  // a template in several files is the same in each
  }
}

/// The sizes of the parameters by the device code.
std::vector<std::size_t> parameters_of(cudaKernel_t kernel, std::size_t most) {
  std::vector<std::size_t> sizes;
  std::size_t offset = 0, size = 0;
  while (sizes.size() < most &&
         cudaFuncGetParamInfo(kernel, sizes.size(), &offset, &size) == cudaSuccess) {
    sizes.push_back(size);
  }
  cudaGetLastError();  // from the index past the last one
  return sizes;
}

}  // namespace

/// Fills in the kernels' handles.
class KernelTable {
 public:
  static void prepare() {
    KernelsByName found;
    for (const void* code : device_code()) {
      add_kernels_of(code, found);
    }
    for (NamedKernel* kernel : named_kernels()) {
      const std::string name = kernel_of_type(kernel->type_.name());
      const auto at = found.find(name);
      if (at == found.end()) {
        throw std::runtime_error("[device code] has no kernel " + name +
                                 "; install the program again");
      }
      if (parameters_of(at->second, kernel->sizes_.size() + 1) != kernel->sizes_) {
        throw std::runtime_error("[device code] the parameters of " + name +
                                 " have other sizes than here; install the program again");
      }
      kernel->kernel_ = at->second;
    }
  }
};

NamedKernel::NamedKernel(const std::type_info& type, std::vector<std::size_t> sizes)
    : type_(type), sizes_(std::move(sizes)) {
  named_kernels().push_back(this);
}

void NamedKernel::launch(cudaStream_t stream, const Grid& grid, void** arguments) const {
  if (grid.shared_bytes > kSharedWithoutAsking) {
    check_cuda(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(grid.shared_bytes)),
               "launch");
  }
  cudaLaunchConfig_t config{};
  config.gridDim = grid.blocks;
  config.blockDim = dim3(static_cast<unsigned>(grid.threads));
  config.dynamicSmemBytes = grid.shared_bytes;
  config.stream = stream;
  const cudaError_t status = cudaLaunchKernelExC(&config, kernel_, arguments);
  ++counts().launches;
  check_cuda(status, "launch");
}

void prepare_kernels() {
  static std::once_flag once;  // another try after an exception
  std::call_once(once, &KernelTable::prepare);
}

}  // namespace mantissa::cuda
