#include "engine/plan/cuda_problem.h"

namespace mantissa {
namespace {

/// A library that ours depends on.
Message not_installed(Message library, const std::string& file) {
  return message<
      "{library} is not installed: {file} was found neither among the system's libraries nor under "
      "CUDA_PATH. If it is elsewhere, name its folder in MANTISSA_CUDA_FOLDERS">(std::move(library),
                                                                                 file);
}

Message text_of_kind(const CudaProblem& p) {
  using Kind = CudaProblem::Kind;
  switch (p.kind) {
    case Kind::none:
      return {};
    case Kind::relative_path:
      return message<"MANTISSA_CUDA_LIBRARY must be the absolute path of the CUDA library">();
    case Kind::no_library:
      return message<
          "this installation has no CUDA library ({file}). Install the package mantissa-cuda, or "
          "build with the CUDA Toolkit 13">(p.detail);
    case Kind::cannot_open:
      return message<"the CUDA library can't be opened: {reason}">(p.detail);
    case Kind::other_version:
      return message<
          "the CUDA library beside this program is of another version of Mantissa; install both "
          "from one package">();
    case Kind::no_cudart:
      return not_installed(message<"the CUDA Toolkit 13">(), p.detail);
    case Kind::no_cublas:
      return not_installed(message<"cuBLAS 13 (of the CUDA Toolkit 13)">(), p.detail);
    case Kind::no_cudnn:
      return not_installed(message<"cuDNN 9 for CUDA 13">(), p.detail);
    case Kind::no_driver:
      return message<"no NVIDIA driver is installed, or it is not running">();
    case Kind::old_driver:
      return message<
          "the NVIDIA driver supports CUDA {version}; version 13.0 is needed (driver 580 or "
          "newer). "
          "Update the driver">(p.detail);
    case Kind::driver_failed:
      return message<"the NVIDIA driver can't be used: {reason}">(p.detail);
    case Kind::no_card:
      return message<"the NVIDIA driver finds no card it can use">();
    case Kind::no_such_card:
      return message<"there is no card of that number; this machine has {count}, counted from 0">(
          p.detail);
    case Kind::old_card:
      return message<
          "compute capability {capability} is below 7.5 (RTX 20 series), the least that CUDA 13 "
          "supports">(p.detail);
    case Kind::unknown_card:
      return message<"the driver can't describe it: {reason}">(p.detail);
  }
  return {};
}

}  // namespace

Message cuda_problem_text(const CudaProblem& problem) {
  return problem.card.empty() || problem.empty()
             ? text_of_kind(problem)
             : message<"{card}: {reason}">(problem.card, text_of_kind(problem));
}

}  // namespace mantissa
