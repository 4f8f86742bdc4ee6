#include "engine/adapters/low_rank.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace mantissa {
namespace {

using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const FloatMatrix>;
using Columns = Eigen::MatrixXf;
using Wide = Eigen::MatrixXd;

/// Extra columns of the test matrix, and rounds of iteration: for slowly decaying spectra.
constexpr int kOversample = 10;
constexpr int kRounds = 4;
/// Below this side the exact decomposition is as fast.
constexpr std::int64_t kExactSide = 96;

/// Standard normals from a fixed stream.
Columns test_matrix(std::int64_t rows, std::int64_t cols) {
  const RandomKey key = random_key(0x51deca5e, RandomStream::init);
  Columns m(rows, cols);
  for (Eigen::Index i = 0; i < m.size(); i += 2) {
    const auto words = random_block(key, static_cast<std::uint32_t>(i / 2));
    const auto [first, second] = normal_pair(words[0], words[1]);
    m.data()[i] = first;
    if (i + 1 < m.size()) {
      m.data()[i + 1] = second;
    }
  }
  return m;
}

/// An orthonormal basis of the columns.
Columns orthonormal(const Columns& m) {
  const Eigen::HouseholderQR<Columns> qr(m);
  return qr.householderQ() * Columns::Identity(m.rows(), std::min(m.rows(), m.cols()));
}

struct Decomposition {
  Wide u, v;
  Eigen::VectorXd s;
};

Decomposition small_svd(const Wide& m) {
  // Not BDCSVD, which takes half a minute more to compile; these are small.
  const Eigen::JacobiSVD<Wide> svd(m, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

/// How closely the singular vectors are found.
struct Effort {
  int oversample = kOversample, rounds = kRounds;
};

Decomposition decompose(const ConstMap& m, int rank, const Effort& effort) {
  const std::int64_t side = std::min(m.rows(), m.cols());
  if (side <= kExactSide || rank + effort.oversample >= side) {
    return small_svd(m.cast<double>());
  }
  Columns basis = orthonormal(m * test_matrix(m.cols(), rank + effort.oversample));
  for (int round = 0; round < effort.rounds; ++round) {
    basis = orthonormal(m.transpose() * basis);
    basis = orthonormal(m * basis);
  }
  // M ≈ Q·(Qᵀ·M); with (Qᵀ·M)ᵀ = P·R the small part is Rᵀ.
  const Columns tall = m.transpose() * basis;
  const Eigen::HouseholderQR<Columns> qr(tall);
  const std::int64_t k = basis.cols();
  const Columns p = qr.householderQ() * Columns::Identity(tall.rows(), k);
  const Wide r =
      qr.matrixQR().topRows(k).triangularView<Eigen::Upper>().toDenseMatrix().cast<double>();
  const Decomposition inner = small_svd(r.transpose());
  return {basis.cast<double>() * inner.u, p.cast<double>() * inner.v, inner.s};
}

LowRank rounded(const Decomposition& d, std::int64_t rows, std::int64_t cols, int rank) {
  LowRank result;
  result.rank = rank;
  const auto n = static_cast<std::size_t>(rank);
  result.u.resize(static_cast<std::size_t>(rows) * n);
  result.v.resize(n * static_cast<std::size_t>(cols));
  for (std::size_t k = 0; k < n; ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    Eigen::Index largest = 0;
    d.u.col(column).cwiseAbs().maxCoeff(&largest);
    const double sign = d.u(largest, column) < 0 ? -1.0 : 1.0;
    result.s.push_back(static_cast<float>(d.s(column)));
    for (std::int64_t i = 0; i < rows; ++i) {
      result.u[static_cast<std::size_t>(i) * n + k] = static_cast<float>(sign * d.u(i, column));
    }
    for (std::int64_t j = 0; j < cols; ++j) {
      result.v[k * static_cast<std::size_t>(cols) + static_cast<std::size_t>(j)] =
          static_cast<float>(sign * d.v(j, column));
    }
  }
  return result;
}

}  // namespace

LowRank product_svd(std::span<const float> up, std::span<const float> down, int rank) {
  const auto rows = static_cast<Eigen::Index>(up.size()) / rank;
  const auto cols = static_cast<Eigen::Index>(down.size()) / rank;
  const Wide left = ConstMap(up.data(), rows, rank).cast<double>();
  const Wide right = ConstMap(down.data(), rank, cols).cast<double>().transpose();
  if (!left.allFinite() || !right.allFinite()) {
    throw Error(message<"an adapter holds NaN or infinity; it has no singular values">());
  }
  const auto thin = [](const Wide& m, Wide& q) {
    const Eigen::Index k = std::min(m.rows(), m.cols());
    const Eigen::HouseholderQR<Wide> qr(m);
    q = qr.householderQ() * Wide::Identity(m.rows(), k);
    return Wide(qr.matrixQR().topRows(k).triangularView<Eigen::Upper>());
  };
  Wide q, p;
  const Wide r = thin(left, q), s = thin(right, p);
  const Decomposition inner = small_svd(r * s.transpose());
  const Decomposition whole{q * inner.u, p * inner.v, inner.s};
  LowRank result = rounded(whole, rows, cols, static_cast<int>(inner.s.size()));
  result.energy = inner.s.squaredNorm();
  return result;
}

static LowRank svd_by(const Effort& effort, std::span<const float> matrix, std::int64_t rows,
                      std::int64_t cols, int rank) {
  const int kept = static_cast<int>(std::min<std::int64_t>(rank, std::min(rows, cols)));
  double energy = 0;
  for (float x : matrix) {
    energy += static_cast<double>(x) * static_cast<double>(x);
  }
  if (!std::isfinite(energy)) {
    throw Error(message<"a matrix of {rows} by {columns} holds NaN or infinity; it has no singular "
                        "values. Check the base model's file">(rows, cols));
  }
  LowRank result =
      rounded(decompose(ConstMap(matrix.data(), rows, cols), kept, effort), rows, cols, kept);
  result.energy = energy;
  return result;
}

LowRank truncated_svd(std::span<const float> matrix, std::int64_t rows, std::int64_t cols,
                      int rank) {
  return svd_by({}, matrix, rows, cols, rank);
}

static PissaSplit split_of(const LowRank& svd, std::int64_t rows, std::int64_t cols, int rank,
                           float scale) {
  const auto r = static_cast<std::size_t>(rank), k = static_cast<std::size_t>(cols);
  PissaSplit split;
  split.down.assign(r * k, 0.0F);
  split.up.assign(static_cast<std::size_t>(rows) * r, 0.0F);
  for (std::size_t i = 0; i < static_cast<std::size_t>(svd.rank); ++i) {
    const float root = std::sqrt(svd.s[i] / scale);
    for (std::size_t j = 0; j < k; ++j) {
      split.down[i * k + j] = root * svd.v[i * k + j];
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(rows); ++j) {
      split.up[j * r + i] = root * svd.u[j * static_cast<std::size_t>(svd.rank) + i];
    }
  }
  return split;
}

PissaSplit pissa_split(std::span<const float> weight, std::int64_t rows, std::int64_t cols,
                       int rank, float scale) {
  return split_of(truncated_svd(weight, rows, cols, rank), rows, cols, rank, scale);
}

PissaSplit pissa_start(std::span<const float> weight, std::int64_t rows, std::int64_t cols,
                       int rank, float scale) {
  const Effort effort{.oversample = std::max(rank, kOversample), .rounds = 10 * kRounds};
  return split_of(svd_by(effort, weight, rows, cols, rank), rows, cols, rank, scale);
}

PissaSplit olora_start(std::span<const float> weight, std::int64_t rows, std::int64_t cols,
                       int rank) {
  const Wide m = ConstMap(weight.data(), rows, cols).cast<double>();
  const auto kept = std::min<Eigen::Index>(rank, std::min(rows, cols));
  // The first columns of Q are those of the first columns' own decomposition.
  const Eigen::HouseholderQR<Wide> qr(m.leftCols(kept));
  const Wide q = qr.householderQ() * Wide::Identity(rows, kept);
  PissaSplit split;
  split.down.assign(static_cast<std::size_t>(rank * cols), 0.0F);
  split.up.assign(static_cast<std::size_t>(rows * rank), 0.0F);
  Eigen::Map<FloatMatrix>(split.down.data(), rank, cols).topRows(kept) =
      (q.transpose() * m).cast<float>();
  Eigen::Map<FloatMatrix>(split.up.data(), rows, rank).leftCols(kept) = q.cast<float>();
  return split;
}

void revive_dead(std::span<float> down, std::span<float> up, int rank, std::span<const float> fresh,
                 double share) {
  const auto cols = static_cast<Eigen::Index>(down.size()) / rank;
  const auto rows = static_cast<Eigen::Index>(up.size()) / rank;
  Eigen::Map<FloatMatrix> a(down.data(), rank, cols), b(up.data(), rows, rank);
  const Eigen::VectorXd squares = a.cast<double>().rowwise().squaredNorm() +
                                  b.cast<double>().colwise().squaredNorm().transpose();
  const double least = share * squares.maxCoeff();
  for (Eigen::Index r = 0; r < rank; ++r) {
    if (squares(r) <= least) {
      a.row(r) = ConstMap(fresh.data(), rank, cols).row(r);
      b.col(r).setZero();
    }
  }
}

void subtract_product(std::span<float> weight, std::span<const float> down,
                      std::span<const float> up, int rank, float scale) {
  const auto cols = static_cast<Eigen::Index>(down.size()) / rank;
  const auto rows = static_cast<Eigen::Index>(up.size()) / rank;
  Eigen::Map<FloatMatrix> w(weight.data(), rows, cols);
  w.noalias() -= scale * (ConstMap(up.data(), rows, rank) * ConstMap(down.data(), rank, cols));
}

}  // namespace mantissa
