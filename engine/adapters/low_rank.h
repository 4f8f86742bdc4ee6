#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mantissa {

/// The largest singular values of a matrix and their vectors: M ≈ U·diag(s)·Vᵀ.
struct LowRank {
  int rank = 0;          ///< at most min(rows, cols)
  std::vector<float> u;  ///< [rows, rank]
  std::vector<float> s;  ///< [rank], descending
  std::vector<float> v;  ///< [rank, cols]: Vᵀ
  double energy = 0;     ///< ‖M‖²_F; Σ s² of all singular values
};

/// Singular values by randomised subspace iteration (arXiv 0909.4061), exact for small matrices.
/// Deterministic: the random test matrix is a fixed Philox stream. `matrix` [rows, cols] must be
/// finite; throws Error otherwise. The sign of a pair is chosen so that u's largest entry is
/// positive.
LowRank truncated_svd(std::span<const float> matrix, std::int64_t rows, std::int64_t cols,
                      int rank);

/// All singular values of up·down, up [rows, rank] and down [rank, cols], exactly: from the QR
/// decompositions of both (up = Q·R, downᵀ = P·S; the values of R·Sᵀ are those of the product).
LowRank product_svd(std::span<const float> up, std::span<const float> down, int rank);

/// PiSSA (arXiv 2404.02948): B = U·√(S/s), A = √(S/s)·Vᵀ from the `rank` largest singular values,
/// so that W = residual + scale·up·down at the start.
struct PissaSplit {
  std::vector<float> down;  ///< A [rank, cols]; rows beyond the matrix's rank are zero
  std::vector<float> up;    ///< B [rows, rank]
};
PissaSplit pissa_split(std::span<const float> weight, std::int64_t rows, std::int64_t cols,
                       int rank, float scale);

/// The factors that PEFT's init_lora_weights pissa and olora take out of a weight, for files whose
/// change is against the rest: the same as pissa_split, but with as many iterations as the singular
/// vectors need to converge, and for OLoRA (arXiv 2406.01775) B = the first `rank` columns of Q and
/// A = as many rows of R of the weight's QR decomposition.
PissaSplit pissa_start(std::span<const float> weight, std::int64_t rows, std::int64_t cols,
                       int rank, float scale);
PissaSplit olora_start(std::span<const float> weight, std::int64_t rows, std::int64_t cols,
                       int rank);

/// Fresh rows of A, with zero columns of B, for the directions that no gradient would reach: those
/// whose squared values are at most `share` of the largest direction's, both factors being zero or
/// the rounding of a decomposition (`kRounding`). down, fresh [rank, cols], up [rows, rank].
constexpr double kRounding = 1e-6;
void revive_dead(std::span<float> down, std::span<float> up, int rank, std::span<const float> fresh,
                 double share);

/// weight -= scale·up·down, in fp32.
void subtract_product(std::span<float> weight, std::span<const float> down,
                      std::span<const float> up, int rank, float scale);

}  // namespace mantissa
