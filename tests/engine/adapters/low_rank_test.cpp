// Singular values, and plain LoRA made of a DoRA.
#include "engine/adapters/low_rank.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "engine/adapters/delta.h"
#include "engine/adapters/resize.h"
#include "engine/core/error.h"

namespace mantissa {
namespace {

/// A random orthonormal set of `count` vectors of `n` elements, by Gram-Schmidt in fp64.
std::vector<std::vector<double>> orthonormal(std::size_t n, std::size_t count, double seed) {
  std::vector<std::vector<double>> basis;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = std::sin(seed + 12.9898 * static_cast<double>(i * count + k) +
                      std::cos(static_cast<double>(i) * 3.7 * static_cast<double>(k + 1)));
    }
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& b : basis) {
        double dot = 0;
        for (std::size_t i = 0; i < n; ++i) {
          dot += b[i] * v[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
          v[i] -= dot * b[i];
        }
      }
    }
    double norm = 0;
    for (double x : v) {
      norm += x * x;
    }
    for (double& x : v) {
      x /= std::sqrt(norm);
    }
    basis.push_back(std::move(v));
  }
  return basis;
}

struct Spectrum {
  const char* name;
  std::size_t rows, cols, count;
  double (*value)(std::size_t);
};

void PrintTo(const Spectrum& s, std::ostream* out) {
  *out << s.name;
}

class Svd : public ::testing::TestWithParam<Spectrum> {};

TEST_P(Svd, FindsTheLargestValuesOfAKnownSpectrum) {
  const Spectrum& c = GetParam();
  const auto u = orthonormal(c.rows, c.count, 0.3), v = orthonormal(c.cols, c.count, 1.9);
  std::vector<float> m(c.rows * c.cols);
  double energy = 0;
  for (std::size_t k = 0; k < c.count; ++k) {
    energy += c.value(k) * c.value(k);
  }
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.cols; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < c.count; ++k) {
        sum += c.value(k) * u[k][i] * v[k][j];
      }
      m[i * c.cols + j] = static_cast<float>(sum);
    }
  }
  constexpr int kRank = 8;
  const auto rows = static_cast<std::int64_t>(c.rows), cols = static_cast<std::int64_t>(c.cols);
  const LowRank svd = truncated_svd(m, rows, cols, kRank);
  ASSERT_EQ(svd.rank, kRank);
  EXPECT_NEAR(svd.energy, energy, 1e-5 * energy);
  double best = energy;
  for (std::size_t k = 0; k < kRank; ++k) {
    EXPECT_NEAR(static_cast<double>(svd.s[k]), c.value(k), 2e-3 * c.value(k)) << k;
    best -= c.value(k) * c.value(k);
  }
  double error = 0;
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.cols; ++j) {
      double sum = static_cast<double>(m[i * c.cols + j]);
      for (std::size_t k = 0; k < kRank; ++k) {
        sum -= static_cast<double>(svd.s[k]) * static_cast<double>(svd.u[i * kRank + k]) *
               static_cast<double>(svd.v[k * c.cols + j]);
      }
      error += sum * sum;
    }
  }
  EXPECT_LE(error, best * 1.002 + 1e-9 * energy) << "no rank-8 matrix is nearer";
  const LowRank again = truncated_svd(m, rows, cols, kRank);
  EXPECT_EQ(svd.u, again.u);
  EXPECT_EQ(svd.s, again.s);
  EXPECT_EQ(svd.v, again.v);
}

INSTANTIATE_TEST_SUITE_P(
    Matrices, Svd,
    ::testing::Values(Spectrum{"small", 20, 30, 20,
                               [](std::size_t k) { return 1.0 / static_cast<double>(k + 1); }},
                      Spectrum{"wide_fast", 120, 400, 60,
                               [](std::size_t k) { return std::pow(0.7, static_cast<double>(k)); }},
                      Spectrum{"tall_slow", 300, 150, 150,
                               [](std::size_t k) {
                                 return 1.0 / std::sqrt(static_cast<double>(k + 1));
                               }}),
    [](const auto& info) { return info.param.name; });

TEST(SvdEdges, RankIsBoundedAndNanIsRefused) {
  std::vector<float> m{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(truncated_svd(m, 2, 3, 10).rank, 2);
  m[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(truncated_svd(m, 2, 3, 1), Error);
}

TEST(SvdEdges, PissaSplitsTheWeight) {
  std::vector<float> w(7 * 12);
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = std::sin(static_cast<float>(i) * 2.1F);
  }
  // Beyond the weight's own rank nothing is left.
  const PissaSplit whole = pissa_split(w, 7, 12, 9, 0.5F);
  std::vector<float> rest = w;
  subtract_product(rest, whole.down, whole.up, 9, 0.5F);
  for (float x : rest) {
    EXPECT_NEAR(x, 0.0F, 1e-5F);
  }
  const PissaSplit part = pissa_split(w, 7, 12, 2, 0.5F);
  for (std::size_t r = 0; r < 2; ++r) {
    double down = 0, up = 0;
    for (std::size_t j = 0; j < 12; ++j) {
      down += std::pow(static_cast<double>(part.down[r * 12 + j]), 2);
    }
    for (std::size_t i = 0; i < 7; ++i) {
      up += std::pow(static_cast<double>(part.up[i * 2 + r]), 2);
    }
    EXPECT_NEAR(down, up, 1e-4 * up) << "both factors carry the root of S / scale";
  }
}

TEST(PlainLora, ComesNearerWithRankAndIsExactAtFullRank) {
  for (DoraAxis axis : {DoraAxis::output, DoraAxis::input}) {
    AdapterModule m;
    m.path = "denoiser.x";
    m.rank = 2;
    m.alpha = 3;
    m.down_shape = {2, 5, 3, 3};
    m.up_shape = {8, 2, 1, 1};
    std::vector<float> w(8 * 45);
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] = std::sin(static_cast<float>(i) * 1.3F);
    }
    for (std::size_t i = 0; i < 90; ++i) {
      m.down.push_back(0.2F * std::cos(static_cast<float>(i)));
    }
    for (std::size_t i = 0; i < 16; ++i) {
      m.up.push_back(0.3F * std::sin(static_cast<float>(i) + 0.4F));
    }
    m.dora_axis = axis;
    for (std::size_t c = 0; c < (axis == DoraAxis::output ? 8U : 5U); ++c) {
      m.magnitude.push_back(4.5F + 0.3F * static_cast<float>(c));
    }
    double last = 1;
    for (int rank : {1, 2, 4, 8}) {
      const PlainLora plain = plain_lora(m, w, rank);
      EXPECT_FALSE(plain.module.dora_axis);
      EXPECT_EQ(plain.module.rank, rank);
      EXPECT_EQ(plain.module.down_shape, (Shape{rank, 5, 3, 3}));
      EXPECT_EQ(plain.module.up_shape, (Shape{8, rank, 1, 1}));
      EXPECT_LE(plain.error, last);
      last = plain.error;
      // The reported error is that of the returned module.
      const std::vector<float> want = weight_delta(m, w), got = weight_delta(plain.module, w);
      double off = 0, all = 0;
      for (std::size_t i = 0; i < want.size(); ++i) {
        off += std::pow(static_cast<double>(want[i]) - static_cast<double>(got[i]), 2);
        all += std::pow(static_cast<double>(want[i]), 2);
      }
      EXPECT_NEAR(plain.error, std::sqrt(off / all), 1e-5);
    }
    EXPECT_LE(last, 1e-5);
    const PlainLora chosen = plain_lora(m, w);
    EXPECT_LE(chosen.module.rank, 4);
    EXPECT_THROW(weight_delta(m, std::span(w).first(10)), Error);
  }
}

}  // namespace
}  // namespace mantissa
