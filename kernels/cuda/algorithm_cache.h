#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mantissa::cuda {

/// The GEMM algorithms found on one card with one version of the library, by shape; a text file
/// with one line each. An unreadable file counts as missing.
class AlgorithmCache {
 public:
  using Algorithm = std::array<std::uint64_t, 8>;  ///< cublasLtMatmulAlgo_t, opaque

  /// `folder` empty: memory only. `name` identifies card and version.
  AlgorithmCache(const std::string& folder, const std::string& name);
  std::optional<Algorithm> find(const std::string& shape) const;
  void keep(const std::string& shape, const Algorithm& algorithm);

 private:
  std::string file_;
  std::map<std::string, Algorithm> known_;
};

}  // namespace mantissa::cuda
