#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mantissa {

/// The oldest cards that the library runs on, as 10·major + minor of their compute capability.
inline constexpr int kLeastCapability = 75;

/// Why a card can't be used, as data; the engine has the text (cuda_problem_text).
struct CudaProblem {
  enum class Kind {
    none,
    relative_path,  ///< MANTISSA_CUDA_LIBRARY isn't absolute
    no_library,     ///< `detail`: the file that is missing
    cannot_open,    ///< our library; `detail`: the system's message
    other_version,  ///< our library is of another build
    no_cudart,      ///< `detail`: the file that is missing
    no_cublas,      ///< the same
    no_cudnn,       ///< the same
    no_driver,
    old_driver,     ///< `detail`: the CUDA version that it supports
    driver_failed,  ///< `detail`: the driver's message
    no_card,
    no_such_card,  ///< `detail`: their number
    old_card,      ///< `detail`: its compute capability
    no_code,       ///< `detail`: the compute capabilities that our library has code for
    unknown_card,  ///< the driver can't describe it; `detail`: its message
  };
  Kind kind = Kind::none;
  std::string detail{};
  std::string card{};  ///< the card's name, if the problem concerns one

  bool empty() const { return kind == Kind::none; }
};

/// Whether installing NVIDIA's libraries solves it.
inline bool lacks_libraries(const CudaProblem& problem) {
  using Kind = CudaProblem::Kind;
  return problem.kind == Kind::no_cudart || problem.kind == Kind::no_cublas ||
         problem.kind == Kind::no_cudnn;
}

/// One card, as reported by its driver.
struct CudaDevice {
  int ordinal = 0;
  std::string name;
  int capability = 0;  ///< 10·major + minor: 89 for an RTX 4090
  std::size_t memory = 0;
  CudaProblem problem;
  std::string id{};       ///< differs from card to card; empty if unknown
  bool compiles = false;  ///< the driver compiles our kernels for it at the first start
  /// Work on it has a time limit: it draws the screen, so the system resets it if it doesn't
  /// answer.
  bool display = false;
};

/// CUDA on this machine: driver, libraries, cards.
struct CudaReport {
  CudaProblem problem;  ///< why no card can be used
  /// Versions; empty if unknown. NVRTC's is empty if it is missing: cuDNN then has no engines for
  /// attention.
  std::string driver, runtime, cublas, cudnn, nvrtc;
  std::string capabilities;  ///< that our library was compiled for: "8.0, 9.0"
  std::vector<CudaDevice> devices;
};

}  // namespace mantissa
