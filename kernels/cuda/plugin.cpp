// The one symbol that the app looks up in this library.
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/cublas.h"
#include "kernels/cuda/cudnn.h"
#include "kernels/cuda/nccl.h"
#include "kernels/cuda_code.h"
#include "kernels/load.h"

namespace mantissa::cuda {
namespace {

std::string version_text(int version, int major_unit, int minor_unit) {
  return std::to_string(version / major_unit) + "." +
         std::to_string(version % major_unit / minor_unit);
}

std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

CudaDevice describe(int ordinal) {
  CudaDevice device;
  device.ordinal = ordinal;
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, ordinal);
  if (status != cudaSuccess) {
    device.name = "card " + std::to_string(ordinal);
    device.problem = {CudaProblem::Kind::unknown_card, cuda_text(status)};
    return device;
  }
  device.name = properties.name;
  device.capability = 10 * properties.major + properties.minor;
  device.memory = properties.totalGlobalMem;
  device.id.assign(properties.uuid.bytes, sizeof(properties.uuid.bytes));
  int limited = 0;
  cudaDeviceGetAttribute(&limited, cudaDevAttrKernelExecTimeout, ordinal);
  device.display = limited != 0;
  const CardCode code = card_code(MANTISSA_CUDA_CODE, device.capability);
  device.compiles = code == CardCode::compiled;
  if (device.capability < kLeastCapability) {
    device.problem = {CudaProblem::Kind::old_card, capability_text(device.capability)};
  } else if (code == CardCode::none) {
    device.problem = {CudaProblem::Kind::no_code, capabilities_text(MANTISSA_CUDA_CODE)};
  }
  return device;
}

CudaProblem card_problem(cudaError_t status, int driver) {
  using Kind = CudaProblem::Kind;
  if (status != cudaSuccess && driver == 0) {
    return {Kind::no_driver};  // the status differs by system
  }
  switch (status) {
    case cudaSuccess:
      return {};
    case cudaErrorInsufficientDriver:
      return {Kind::old_driver, version_text(driver, 1000, 10)};
    case cudaErrorNoDevice:
      return {Kind::no_card};
    default:
      return {Kind::driver_failed, cuda_text(status)};
  }
}

CudaProblem of_card(const CudaDevice& device) {
  CudaProblem problem = device.problem;
  problem.card = device.name;
  return problem;
}

CudaReport report() {
  CudaReport result;
  int driver = 0, runtime = 0, count = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  result.driver = driver == 0 ? "" : "CUDA " + version_text(driver, 1000, 10);
  result.runtime = version_text(runtime, 1000, 10);
  const auto cublas = static_cast<int>(cublasLtGetVersion());
  result.cublas = version_text(cublas, 10000, 100);
  result.cudnn = version_text(static_cast<int>(cudnnGetVersion()), 10000, 100);
  result.capabilities = capabilities_text(MANTISSA_CUDA_CODE);
  result.problem = card_problem(cudaGetDeviceCount(&count), driver);
  bool usable = false;
  for (int i = 0; result.problem.empty() && i < count; ++i) {
    result.devices.push_back(describe(i));
    usable = usable || result.devices.back().problem.empty();
  }
  if (result.problem.empty() && !usable) {
    result.problem =
        count == 0 ? CudaProblem{CudaProblem::Kind::no_card} : of_card(result.devices[0]);
  }
  return result;
}

std::unique_ptr<Kernels> make(int ordinal, const CudaPluginOptions& options) {
  const CudaReport found = report();
  if (!found.problem.empty()) {
    throw CudaUnusable(found.problem);
  }
  if (ordinal < 0 || ordinal >= static_cast<int>(found.devices.size())) {
    throw CudaUnusable({CudaProblem::Kind::no_such_card, std::to_string(found.devices.size())});
  }
  if (const CudaDevice& device = found.devices[static_cast<std::size_t>(ordinal)];
      !device.problem.empty()) {
    throw CudaUnusable(of_card(device));
  }
  auto context = std::make_unique<Context>(ordinal, options.pinned_limit);
  context->set_code_capability(code_capability(MANTISSA_CUDA_CODE, context->capability()));
  if (!options.nvrtc) {
    context->note(
        "NVRTC (libnvrtc.so.13, nvrtc64_130_0.dll) was found neither among the system's libraries "
        "nor under CUDA_PATH, so cuDNN can't compile its attention and slower kernels are used. "
        "NVRTC is part of the CUDA Toolkit 13");
  }
  auto gemm = make_cublas(*context, {options.deterministic, options.cache_folder});
  auto dnn = make_cudnn(*context, options.deterministic);
  return std::make_unique<CudaKernels>(std::move(context), std::move(gemm), std::move(dnn));
}

PinnedMemory pinned(Kernels& kernels) {
  return static_cast<CudaKernels&>(kernels).context().pinned_memory();
}

std::unique_ptr<CardLink> join_link(const NcclLibrary& nccl, Kernels& kernels,
                                    const CardLinkPlace& place, WhileWaiting while_waiting) {
  return join_nccl_link(nccl, static_cast<CudaKernels&>(kernels).context(), place,
                        std::move(while_waiting));
}

}  // namespace
}  // namespace mantissa::cuda

#if defined(_WIN32)
#define MANTISSA_EXPORT __declspec(dllexport)
#else
#define MANTISSA_EXPORT __attribute__((visibility("default")))
#endif

extern "C" MANTISSA_EXPORT const mantissa::CudaApi* mantissa_cuda_api() {
  using namespace mantissa::cuda;
  static constexpr mantissa::CudaApi kApi{MANTISSA_BUILD, report,        make,     pinned,
                                          describe_nccl,  new_nccl_link, join_link};
  return &kApi;
}
