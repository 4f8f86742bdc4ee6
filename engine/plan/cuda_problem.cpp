#include "engine/plan/cuda_problem.h"

#include <algorithm>

namespace mantissa {
namespace {

/// A library that ours depends on.
Message not_installed(Message library, const std::string& file) {
  return message<
      "{library} is not installed ({file}). Install NVIDIA's libraries with `mantissa cuda "
      "install` or "
      "on the studio's Device page; if they are elsewhere, name their folder in "
      "MANTISSA_CUDA_FOLDERS">(std::move(library), file);
}

/// Without a driver only the system knows what cards there are.
Message no_driver(const std::vector<CardMaker>& makers) {
  const auto has = [&](CardMaker maker) {
    return std::ranges::find(makers, maker) != makers.end();
  };
  if (has(CardMaker::nvidia)) {
    return message<
        "there is an NVIDIA card, but no NVIDIA driver is installed, or it is not running. Install "
        "driver 580 or newer">();
  }
  if (has(CardMaker::amd) || has(CardMaker::intel)) {
    return message<
        "the graphics card is made by {maker}; Mantissa trains on NVIDIA cards (RTX 20 series or "
        "newer) and on the CPU">(has(CardMaker::amd) ? "AMD" : "Intel");
  }
  return message<"no NVIDIA driver is installed, or it is not running">();
}

Message text_of_kind(const CudaProblem& p, const std::vector<CardMaker>& makers) {
  using Kind = CudaProblem::Kind;
  switch (p.kind) {
    case Kind::none:
      return {};
    case Kind::relative_path:
      return message<"MANTISSA_CUDA_LIBRARY must be the absolute path of the CUDA library">();
    case Kind::no_library:
      return message<
          "this build has no CUDA library ({file}). `bash packaging/bootstrap.sh build` makes it "
          "on a computer with an NVIDIA card and its driver">(p.detail);
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
      return no_driver(makers);
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
    case Kind::no_code:
      return message<
          "this build of the CUDA library has code for compute capability {capabilities} and none "
          "for this card. `bash packaging/bootstrap.sh build` on this computer compiles it for its "
          "cards">(p.detail);
    case Kind::unknown_card:
      return message<"the driver can't describe it: {reason}">(p.detail);
  }
  return {};
}

}  // namespace

Message cuda_problem_text(const CudaProblem& problem, const std::vector<CardMaker>& makers) {
  const Message text = text_of_kind(problem, makers);
  return problem.card.empty() || problem.empty() ? text
                                                 : message<"{card}: {reason}">(problem.card, text);
}

}  // namespace mantissa
