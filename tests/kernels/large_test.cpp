#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

// Shapes that need several chunks, depth blocks and panels, against plain loops in double.

namespace mantissa::testing {
namespace {

double error(const Tensor& got, const std::vector<double>& expected) {
  double top = 1e-3, worst = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    top = std::max(top, std::fabs(expected[i]));
    const double off = std::fabs(got.get(static_cast<std::int64_t>(i)) - expected[i]);
    worst = off <= worst ? worst : off;
  }
  return worst / top;
}

/// [rows][depth] of a matrix, or of a transposed one.
std::vector<double> by_rows(const Tensor& t, bool transposed, std::int64_t rows,
                            std::int64_t depth) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < rows * depth; ++i) {
    values.push_back(t.get(transposed ? i % depth * rows + i / depth : i));
  }
  return values;
}

std::vector<double> plain_matmul(const Tensor& a, const Tensor& b, const Tensor& bias,
                                 const Tensor& start, const MatmulOptions& o, std::int64_t m,
                                 std::int64_t n, std::int64_t k) {
  const std::vector<double> rows = by_rows(a, o.transpose_a, m, k);
  const std::vector<double> columns = by_rows(b, !o.transpose_b, n, k);
  std::vector<double> out;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::int64_t p = 0; p < k; ++p) {
        sum += rows[static_cast<std::size_t>(i * k + p)] *
               columns[static_cast<std::size_t>(j * k + p)];
      }
      out.push_back(o.alpha * sum + o.beta * start.get(i * n + j) + bias.get(j));
    }
  }
  return out;
}

class LargeShapes : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
  void check_convolution(DType dtype);
};
MANTISSA_FOR_EACH_BACKEND(LargeShapes);

TEST_P(LargeShapes, Matmul) {
  // Tensor cores cut the smaller of the products that they add: 3.2e-6 on an H100.
  const double summed = GetParam().name == "cuda" ? 5e-6 : 2e-6;
  for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{203, 531, 300},
                                {17, 130, 777},
                                {100, 16, 600},
                                {12, 577, 513},
                                {8, 200, 515},
                                {33, 40, 1024},
                                {120, 200, 2048},
                                {300, 5, 64}}) {
    for (int bits = 0; bits < 4; ++bits) {
      const MatmulOptions o{(bits & 1) != 0, (bits & 2) != 0, 0.5F, 2.0F};
      const Shape sa = o.transpose_a ? Shape{k, m} : Shape{m, k};
      const Shape sb = o.transpose_b ? Shape{n, k} : Shape{k, n};
      for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
        const Tensor a = hash_tensor(dtype, sa, 1), b = hash_tensor(dtype, sb, 2);
        const Tensor bias = hash_tensor(dtype, {n}, 3), start = hash_tensor(dtype, {m, n}, 4);
        const std::vector<double> expected = plain_matmul(a, b, bias, start, o, m, n, k);
        const double tolerance = dtype == DType::f64   ? 1e-13
                                 : dtype == DType::f32 ? 2e-6
                                 : dtype == DType::f16 ? 0x1p-10
                                                       : 0x1p-8;
        // As a temporary, then twice as a constant: packed and found again.
        for (std::uint64_t id : {0, 7, 7}) {
          View vb = b.view;
          vb.constant_id = id;
          Tensor out = hash_tensor(dtype, {m, n}, 4);
          kernels->matmul(a.view, vb, bias.view, out.view, o);
          EXPECT_LE(error(out, expected), tolerance)
              << m << "x" << n << "x" << k << " " << dtype_name(dtype) << " id " << id << " "
              << bits;
        }
        kernels->release_constants();
        if (dtype_size(dtype) > 2) {
          continue;
        }
        // Sums that stay fp32, onto existing values and onto NaNs that aren't read.
        const Tensor none(dtype, {n});
        for (const float beta : {1.0F, 0.0F}) {
          const MatmulOptions sums{o.transpose_a, o.transpose_b, 0.5F, beta};
          const Tensor before = hash_tensor(DType::f32, {m, n}, 4);
          Tensor out = hash_tensor(DType::f32, {m, n}, 4);
          if (beta == 0.0F) {
            std::fill(out.bytes.begin(), out.bytes.end(), std::uint8_t{0xff});
          }
          kernels->matmul(a.view, b.view, {}, out.view, sums);
          EXPECT_LE(error(out, plain_matmul(a, b, none, before, sums, m, n, k)), summed)
              << m << "x" << n << "x" << k << " " << dtype_name(dtype) << " to fp32 " << bits;
        }
      }
    }
  }
}

/// Columns [first, first + cols) of a wider matrix: with a stride larger than its width.
View slice(const Tensor& wide, std::int64_t first, std::int64_t cols) {
  View v(wide.view.as<char>() + static_cast<std::size_t>(first) * dtype_size(wide.view.dtype),
         wide.view.dtype, {wide.view.rows(), cols});
  v.row_stride = wide.view.row_stride;
  return v;
}

TEST_P(LargeShapes, MatmulReadsAndWritesSlices) {
  const std::int64_t n = 50, k = 60;
  for (const auto& [dtype, sum] :
       {std::pair(DType::f32, DType::f32), std::pair(DType::f64, DType::f64),
        std::pair(DType::f16, DType::f16), std::pair(DType::bf16, DType::bf16),
        std::pair(DType::f16, DType::f32), std::pair(DType::bf16, DType::f32)}) {
    for (std::int64_t m : {40, 3}) {
      for (int bits = 0; bits < 8; ++bits) {
        const MatmulOptions o{(bits & 1) != 0, (bits & 2) != 0, 0.5F,
                              (bits & 4) != 0 ? 1.0F : 0.0F};
        const Tensor a = hash_tensor(dtype, o.transpose_a ? Shape{k, m + 7} : Shape{m, k + 7}, 1),
                     b = hash_tensor(dtype, o.transpose_b ? Shape{n, k + 9} : Shape{k, n + 9}, 2);
        Tensor out = hash_tensor(sum, {m, n + 11}, 3);
        const Tensor before = hash_tensor(sum, {m, n + 11}, 3);
        kernels->matmul(slice(a, 5, o.transpose_a ? m : k), slice(b, 4, o.transpose_b ? k : n), {},
                        slice(out, 6, n), o);
        for (std::int64_t i = 0; i < m; ++i) {
          for (std::int64_t j = 0; j < n + 11; ++j) {
            const double start = before.get(i * (n + 11) + j), got = out.get(i * (n + 11) + j);
            if (j < 6 || j >= n + 6) {
              ASSERT_EQ(got, start);
              continue;
            }
            double total = 0.0;
            for (std::int64_t p = 0; p < k; ++p) {
              total += a.get(o.transpose_a ? p * (m + 7) + 5 + i : i * (k + 7) + 5 + p) *
                       b.get(o.transpose_b ? (j - 6) * (k + 9) + 4 + p : p * (n + 9) + 4 + j - 6);
            }
            const double want = o.alpha * total + o.beta * start;
            const double once = dtype_size(sum) > 2 ? 0 : sum == DType::f16 ? 0x1p-11 : 0x1p-8;
            ASSERT_NEAR(got, want, once * std::fabs(want) + 1e-5) << bits << " " << m;
          }
        }
      }
    }
  }
}

struct ConvCase {
  std::int64_t batch, height, width, ci, co, kernel;
  ConvOptions options;
};

void LargeShapes::check_convolution(DType dtype) {
  const double once = dtype == DType::f32 ? 2e-6 : 0x1p-8;
  for (const ConvCase& c : {ConvCase{2, 17, 19, 37, 70, 3, {1, 1, 1, 1, 1}},
                            ConvCase{1, 20, 14, 70, 37, 3, {2, 1, 1, 1, 1}},
                            ConvCase{2, 18, 34, 70, 66, 3, {2, 0, 0, 1, 1}},
                            ConvCase{1, 13, 12, 130, 9, 1, {1, 0, 0, 0, 0}},
                            // Few channels; the last rows and columns of two don't affect any
                            // output.
                            ConvCase{2, 36, 40, 16, 24, 3, {1, 1, 1, 1, 1}},
                            ConvCase{1, 16, 26, 48, 40, 3, {1, 1, 1, 1, 1}},
                            ConvCase{2, 34, 33, 5, 3, 3, {2, 0, 0, 1, 1}},
                            ConvCase{1, 26, 28, 8, 8, 3, {2, 0, 0, 0, 0}},
                            ConvCase{1, 14, 27, 4, 20, 2, {2, 0, 0, 0, 0}},
                            ConvCase{1, 20, 20, 6, 7, 5, {1, 2, 2, 2, 2}}}) {
    const ConvOptions& o = c.options;
    const std::int64_t ho = (c.height + o.pad_top + o.pad_bottom - c.kernel) / o.stride + 1;
    const std::int64_t wo = (c.width + o.pad_left + o.pad_right - c.kernel) / o.stride + 1;
    const Shape sx{c.batch, c.height, c.width, c.ci}, sy{c.batch, ho, wo, c.co};
    const Shape sw{c.co, c.ci, c.kernel, c.kernel};
    const Tensor x = hash_tensor(dtype, sx, 1), w = hash_tensor(dtype, sw, 2);
    const Tensor d = hash_tensor(dtype, sy, 3);
    std::vector<double> y(static_cast<std::size_t>(sy.count()));
    std::vector<double> dx(static_cast<std::size_t>(sx.count()));
    std::vector<double> dw(static_cast<std::size_t>(sw.count()));
    const auto values = [](const Tensor& t) {
      std::vector<double> v;
      for (std::int64_t i = 0; i < t.view.count(); ++i) {
        v.push_back(t.get(i));
      }
      return v;
    };
    const std::vector<double> px_values = values(x), pw_values = values(w), pd_values = values(d);
    const double *px = px_values.data(), *pw = pw_values.data(), *pd = pd_values.data();
    for (std::int64_t out = 0; out < c.batch * ho * wo; ++out) {
      const std::int64_t b = out / (ho * wo), oy = out / wo % ho, ox = out % wo;
      for (std::int64_t t = 0; t < c.kernel * c.kernel; ++t) {
        const std::int64_t iy = oy * o.stride - o.pad_top + t / c.kernel;
        const std::int64_t ix = ox * o.stride - o.pad_left + t % c.kernel;
        if (iy < 0 || iy >= c.height || ix < 0 || ix >= c.width) {
          continue;
        }
        const std::int64_t in = (b * c.height + iy) * c.width + ix;
        for (std::int64_t n = 0; n < c.co; ++n) {
          for (std::int64_t k = 0; k < c.ci; ++k) {
            const std::int64_t at = (n * c.ci + k) * c.kernel * c.kernel + t;
            y[static_cast<std::size_t>(out * c.co + n)] += px[in * c.ci + k] * pw[at];
            dx[static_cast<std::size_t>(in * c.ci + k)] += pd[out * c.co + n] * pw[at];
            dw[static_cast<std::size_t>(at)] += pd[out * c.co + n] * px[in * c.ci + k];
          }
        }
      }
    }
    for (std::uint64_t id : {0, 5, 5}) {
      View vw = w.view;
      vw.constant_id = id;
      // Accumulating onto zeros, with a bias of zeros, changes nothing.
      const bool accumulate = id != 0;
      const Tensor zeros(dtype, {c.co});
      Tensor out(dtype, sy), d_x(dtype, sx), d_w(DType::f32, sw);
      kernels->conv2d(x.view, vw, accumulate ? zeros.view : View(), out.view, o, accumulate);
      kernels->conv2d_backward_data(d.view, vw, d_x.view, o, accumulate);
      kernels->conv2d_backward_weight(x.view, d.view, d_w.view, o, false);
      EXPECT_LE(error(out, y), once);
      EXPECT_LE(error(d_x, dx), once);
      EXPECT_LE(error(d_w, dw), 2e-6);
      kernels->conv2d(x.view, vw, {}, out.view, o, true);
      kernels->conv2d_backward_data(d.view, vw, d_x.view, o, true);
      kernels->conv2d_backward_weight(x.view, d.view, d_w.view, o, true);
      for (auto [got, expected, most] :
           {std::tuple(&out, &y, 2 * once), std::tuple(&d_x, &dx, 2 * once),
            std::tuple(&d_w, &dw, 4e-6)}) {
        std::vector<double> twice = *expected;
        for (double& value : twice) {
          value *= 2.0;
        }
        EXPECT_LE(error(*got, twice), most);
      }
    }
    kernels->release_constants();
  }
}

TEST_P(LargeShapes, Convolution) {
  check_convolution(DType::f32);
}
TEST_P(LargeShapes, ConvolutionInBf16) {
  check_convolution(DType::bf16);
}

TEST_P(LargeShapes, AttentionAndItsGradient) {
  struct Shape4 {
    std::int64_t batch, heads, queries, keys, d;
    bool causal;
  };
  for (const Shape4& s : {Shape4{1, 2, 300, 530, 24, false}, Shape4{2, 1, 205, 205, 70, true},
                          Shape4{1, 1, 97, 300, 300, false}, Shape4{3, 6, 33, 77, 16, false},
                          Shape4{1, 1, 5, 290, 8, true}}) {
    const Shape sq{s.batch, s.queries, s.heads * s.d}, sk{s.batch, s.keys, s.heads * s.d};
    const Tensor q = hash_tensor(DType::f32, sq, 1, 1.5F), k = hash_tensor(DType::f32, sk, 2, 1.5F);
    const Tensor v = hash_tensor(DType::f32, sk, 3), d = hash_tensor(DType::f32, sq, 4);
    const AttentionOptions o{static_cast<int>(s.heads), 1.0F / std::sqrt(static_cast<float>(s.d)),
                             s.causal};
    const auto nq = static_cast<std::size_t>(sq.count()), nk = static_cast<std::size_t>(sk.count());
    std::vector<double> y(nq), dq(nq), dk(nk), dv(nk);
    for (std::int64_t pair = 0; pair < s.batch * s.heads; ++pair) {
      const auto at = [&](std::int64_t tokens, std::int64_t i, std::int64_t c) {
        return static_cast<std::size_t>((pair / s.heads * tokens + i) * s.heads * s.d +
                                        pair % s.heads * s.d + c);
      };
      for (std::int64_t i = 0; i < s.queries; ++i) {
        const std::int64_t last = s.causal ? std::min(s.keys, i + 1) : s.keys;
        std::vector<double> p(static_cast<std::size_t>(last)), dp(p.size());
        double top = -1e300, sum = 0.0, dot = 0.0;
        for (std::int64_t j = 0; j < last; ++j) {
          double score = 0.0;
          for (std::int64_t c = 0; c < s.d; ++c) {
            score += static_cast<double>(q.view.as<float>()[at(s.queries, i, c)]) *
                     k.view.as<float>()[at(s.keys, j, c)];
            dp[static_cast<std::size_t>(j)] +=
                static_cast<double>(d.view.as<float>()[at(s.queries, i, c)]) *
                v.view.as<float>()[at(s.keys, j, c)];
          }
          p[static_cast<std::size_t>(j)] = score * o.scale;
          top = std::max(top, score * o.scale);
        }
        for (double& x : p) {
          x = std::exp(x - top);
          sum += x;
        }
        for (std::size_t j = 0; j < p.size(); ++j) {
          p[j] /= sum;
          dot += p[j] * dp[j];
        }
        for (std::int64_t j = 0; j < last; ++j) {
          const double pj = p[static_cast<std::size_t>(j)];
          const double ds = pj * (dp[static_cast<std::size_t>(j)] - dot) * o.scale;
          for (std::int64_t c = 0; c < s.d; ++c) {
            const std::size_t iq = at(s.queries, i, c), ik = at(s.keys, j, c);
            y[iq] += pj * v.view.as<float>()[ik];
            dv[ik] += pj * d.view.as<float>()[iq];
            dq[iq] += ds * k.view.as<float>()[ik];
            dk[ik] += ds * q.view.as<float>()[iq];
          }
        }
      }
    }
    std::vector<std::vector<std::uint8_t>> first;
    for (int run = 0; run < 2; ++run) {
      Tensor out(DType::f32, sq), lse(DType::f32, {s.batch, s.heads, s.queries});
      Tensor d_q(DType::f32, sq), d_k(DType::f32, sk), d_v(DType::f32, sk);
      kernels->attention(q.view, k.view, v.view, {}, out.view, lse.view, o);
      kernels->attention_backward(q.view, k.view, v.view, {}, out.view, lse.view, d.view, d_q.view,
                                  d_k.view, d_v.view, o);
      EXPECT_LE(error(out, y), 2e-6);
      EXPECT_LE(error(d_q, dq), 5e-6) << s.queries;
      EXPECT_LE(error(d_k, dk), 5e-6);
      EXPECT_LE(error(d_v, dv), 2e-6);
      if (run == 0) {
        first = {out.bytes, d_q.bytes, d_k.bytes, d_v.bytes};
      } else {
        EXPECT_TRUE(first[0] == out.bytes && first[1] == d_q.bytes && first[2] == d_k.bytes &&
                    first[3] == d_v.bytes);
      }
    }
  }
}

TEST_P(LargeShapes, GroupNormKeepsDigitsAtALargeMean) {
  const std::int64_t rows = 5000, cols = 8;
  const Tensor x = hash_tensor(DType::f32, {1, rows, cols}, 1, 1.0F, 1000.0F);
  Tensor one(DType::f32, {cols}), zero(DType::f32, {cols});
  kernels->fill(one.view, 1.0F);
  kernels->fill(zero.view, 0.0F);
  Tensor y(DType::f32, x.view.shape), stats(DType::f32, {1, 1, 2});
  kernels->group_norm(x.view, one.view, zero.view, y.view, stats.view, 1, 0.0F, false);
  double mean = 0.0, variance = 0.0;
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    mean += x.get(i) / static_cast<double>(rows * cols);
  }
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    variance += (x.get(i) - mean) * (x.get(i) - mean) / static_cast<double>(rows * cols);
  }
  std::vector<double> expected;
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    expected.push_back((x.get(i) - mean) / std::sqrt(variance));
  }
  EXPECT_LE(error(y, expected), 1e-6);
}

}  // namespace
}  // namespace mantissa::testing
