#include "host_gemm.h"

#include <bit>
#include <vector>

namespace mantissa::testing {

namespace {

using cuda::Fp8GemmCall;
using cuda::GemmCall;

/// Ten bits of mantissa, to nearest even.
float round_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7f800000u) == 0x7f800000u) {
    return x;
  }
  return std::bit_cast<float>((bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu);
}

double read(const void* data, DType type, std::int64_t i) {
  switch (type) {
    case DType::f8_e4m3:
      return static_cast<float>(static_cast<const float8_e4m3*>(data)[i]);
    case DType::f8_e5m2:
      return static_cast<float>(static_cast<const float8_e5m2*>(data)[i]);
    default:
      return dispatch_float(type, [&]<typename T>() {
        return static_cast<double>(static_cast<accumulator_t<T>>(static_cast<const T*>(data)[i]));
      });
  }
}
void write(void* data, DType type, std::int64_t i, double value) {
  dispatch_float(type, [&]<typename T>() {
    static_cast<T*>(data)[i] = T(static_cast<accumulator_t<T>>(value));
  });
}

struct Matrix {
  const void* data;
  DType type;
  std::int64_t offset, stride;
  bool transposed, tf32;
};

/// [rows, cols] in fp64.
std::vector<double> widened(const Matrix& m, std::int64_t rows, std::int64_t cols) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(rows * cols));
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const std::int64_t at = m.transposed ? c * m.stride + r : r * m.stride + c;
      const double x = read(m.data, m.type, m.offset + at);
      out.push_back(m.tf32 && m.type == DType::f32 ? round_tf32(static_cast<float>(x)) : x);
    }
  }
  return out;
}

/// [m, n] = a·b in fp64.
std::vector<double> product(const Matrix& a, const Matrix& b, std::int64_t m, std::int64_t n,
                            std::int64_t k) {
  const std::vector<double> x = widened(a, m, k), y = widened(b, k, n);
  std::vector<double> sums(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i) {
    double* row = sums.data() + i * n;
    for (std::int64_t p = 0; p < k; ++p) {
      const double factor = x[static_cast<std::size_t>(i * k + p)];
      const double* from = y.data() + p * n;
      for (std::int64_t j = 0; j < n; ++j) {
        row[j] += factor * from[j];
      }
    }
  }
  return sums;
}

void multiply(const GemmCall& c) {
  for (std::int64_t o = 0; o < c.outer_count; ++o) {
    for (std::int64_t i = 0; i < c.inner_count; ++i) {
      const std::vector<double> sums =
          product({c.a, c.type, o * c.a_outer + i * c.a_inner, c.a_stride, c.transpose_a, c.tf32},
                  {c.b, c.type, o * c.b_outer + i * c.b_inner, c.b_stride, c.transpose_b, c.tf32},
                  c.m, c.n, c.k);
      for (std::int64_t e = 0; e < c.m * c.n; ++e) {
        const std::int64_t at =
            o * c.out_outer + i * c.out_inner + e / c.n * c.out_stride + e % c.n;
        double value = static_cast<double>(c.alpha) * sums[static_cast<std::size_t>(e)];
        value += c.beta != 0 ? static_cast<double>(c.beta) * read(c.out, c.out_type, at) : 0.0;
        value += c.bias != nullptr ? read(c.bias, c.out_type, e % c.n) : 0.0;
        write(c.out, c.out_type, at, value);
      }
    }
  }
}

void multiply_fp8(const Fp8GemmCall& c) {
  const std::vector<double> sums = product({c.a, c.a_type, 0, c.k, false, false},
                                           {c.b, c.b_type, 0, c.k, true, false}, c.m, c.n, c.k);
  for (std::int64_t e = 0; e < c.m * c.n; ++e) {
    const std::int64_t at = e / c.n * c.out_stride + e % c.n;
    double value = sums[static_cast<std::size_t>(e)];
    if (c.a_scale != nullptr) {
      value *= static_cast<double>(c.a_scale[c.b_scale != nullptr ? e / c.n : 0]);
    }
    value *= c.b_scale != nullptr ? static_cast<double>(c.b_scale[e % c.n]) : 1.0;
    value += c.beta != 0 ? static_cast<double>(c.beta) * read(c.out, c.out_type, at) : 0.0;
    value += c.bias != nullptr ? read(c.bias, DType::bf16, e % c.n) : 0.0;
    write(c.out, c.out_type, at, value);
  }
}

class HostGemm final : public cuda::Gemm {
 public:
  HostGemm(cuda::Context& context, HostGemmOptions options)
      : context_(context), options_(options) {}
  std::string version() const override { return "plain loops"; }
  void run(const GemmCall& call) override {
    cuda_on_host::enqueue(context_.stream(), [call] { multiply(call); });
  }
  bool run_fp8(const Fp8GemmCall& call) override {
    if (options_.fp8) {
      cuda_on_host::enqueue(context_.stream(), [call] { multiply_fp8(call); });
    }
    return options_.fp8;
  }
  bool scales_channels() const override { return options_.scales_channels; }

 private:
  cuda::Context& context_;
  HostGemmOptions options_;
};

}  // namespace

std::unique_ptr<cuda::Gemm> make_host_gemm(cuda::Context& context, HostGemmOptions options) {
  return std::make_unique<HostGemm>(context, options);
}

}  // namespace mantissa::testing
