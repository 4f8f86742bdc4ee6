#include "engine/plan/kernel_checks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <stdexcept>

#include "kernels/cpu/cpu.h"
#include "kernels/device_lost.h"

namespace mantissa {
namespace {

using Values = std::vector<double>;

/// A packed tensor of a device, for its lifetime.
class DeviceTensor {
 public:
  DeviceTensor(Kernels& kernels, DType dtype, const Shape& shape) : kernels_(kernels) {
    const std::size_t bytes = static_cast<std::size_t>(shape.count()) * dtype_size(dtype);
    view_ = View(kernels.allocate(bytes), dtype, shape);
  }
  DeviceTensor(Kernels& kernels, DType dtype, const Shape& shape, const Values& values)
      : DeviceTensor(kernels, dtype, shape) {
    dispatch_float(dtype, [&]<typename T>() {
      std::vector<T> rounded;
      for (const double value : values) {
        rounded.push_back(T(static_cast<accumulator_t<T>>(value)));
      }
      kernels_.upload(rounded.data(), view_);
    });
  }
  ~DeviceTensor() { kernels_.release(view_.data); }
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;
  operator const View&() const { return view_; }

  Values values() const {
    Values values;
    dispatch_float(view_.dtype, [&]<typename T>() {
      std::vector<T> stored(static_cast<std::size_t>(view_.count()));
      kernels_.download(view_, stored.data());
      for (const T value : stored) {
        values.push_back(static_cast<double>(static_cast<accumulator_t<T>>(value)));
      }
    });
    return values;
  }

 private:
  Kernels& kernels_;
  View view_;
};

/// What a type holds of values in [-1, 1).
Values random_values(DType dtype, const Shape& shape, unsigned seed) {
  std::minstd_rand random(seed);
  Values values;
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    const double value = std::uniform_real_distribution<double>(-1, 1)(random);
    dispatch_float(dtype, [&]<typename T>() {
      values.push_back(static_cast<double>(
          static_cast<accumulator_t<T>>(T(static_cast<accumulator_t<T>>(value)))));
    });
  }
  return values;
}

/// Calculates in `dtype` from values that `rounded` holds.
using Calculation = Values (*)(Kernels& kernels, DType dtype, DType rounded);

Values product(Kernels& kernels, DType dtype, DType rounded) {
  const Shape left{96, 320}, right{160, 320};
  const DeviceTensor a(kernels, dtype, left, random_values(rounded, left, 1));
  const DeviceTensor b(kernels, dtype, right, random_values(rounded, right, 2));
  const DeviceTensor out(kernels, dtype, {96, 160});
  kernels.matmul(a, b, {}, out, {.transpose_b = true});
  return out.values();
}

Values convolution(Kernels& kernels, DType dtype, DType rounded) {
  const Shape image{2, 16, 16, 32}, kernel{48, 32, 3, 3};
  const DeviceTensor x(kernels, dtype, image, random_values(rounded, image, 3));
  const DeviceTensor weight(kernels, dtype, kernel, random_values(rounded, kernel, 4));
  const DeviceTensor out(kernels, dtype, {2, 16, 16, 48});
  kernels.conv2d(x, weight, {}, out, {1, 1, 1, 1, 1}, false);
  return out.values();
}

Values attention(Kernels& kernels, DType dtype, DType rounded) {
  constexpr int kHeads = 4;
  const Shape tokens{2, 128, kHeads * 64};
  const DeviceTensor q(kernels, dtype, tokens, random_values(rounded, tokens, 5));
  const DeviceTensor k(kernels, dtype, tokens, random_values(rounded, tokens, 6));
  const DeviceTensor v(kernels, dtype, tokens, random_values(rounded, tokens, 7));
  const DeviceTensor out(kernels, dtype, tokens);
  const DeviceTensor sums(kernels, dtype == DType::f64 ? DType::f64 : DType::f32, {2, kHeads, 128});
  kernels.attention(q, k, v, {}, out, sums, {.heads = kHeads, .scale = 0.125F});
  return out.values();
}

/// A product of codes with a result in `dtype`; if that is FP64, of the values they stand for.
template <DType kCode>
Values product_of_codes(Kernels& kernels, DType dtype, DType rounded) {
  const Shape left{64, 256}, right{128, 256};
  const bool wide = dtype == DType::f64;
  const DType from = wide ? DType::f32 : rounded;
  const DeviceTensor a(kernels, from, left, random_values(rounded, left, 8));
  const DeviceTensor b(kernels, from, right, random_values(rounded, right, 9));
  const DeviceTensor a_codes(kernels, kCode, left), b_codes(kernels, kCode, right);
  const DeviceTensor a_scale(kernels, DType::f32, {1}), b_scale(kernels, DType::f32, {128});
  kernels.quantize(a, {}, a_codes, a_scale, {});
  kernels.quantize(b, {}, b_codes, b_scale, {});
  const DeviceTensor out(kernels, wide ? DType::f32 : dtype, {64, 128});
  if (wide) {
    kernels.dequantize(a_codes, a_scale, a);
    kernels.dequantize(b_codes, b_scale, b);
    kernels.matmul(a, b, {}, out, {.transpose_b = true});
  } else {
    kernels.matmul_codes(a_codes, a_scale, b_codes, b_scale, {}, out, {.transpose_b = true});
  }
  return out.values();
}

/// As in the tests of parity: how far two orders of the same sums may lie apart.
double bound_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 1e-13;
    case DType::f32:
      return 2e-6;
    case DType::f16:
      return 0x1p-10;
    default:
      return 0x1p-7;
  }
}

double largest_difference(const Values& got, const Values& expected) {
  double top = 0, worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    top = std::max(top, std::fabs(expected[i]));
    const double off = std::fabs(got[i] - expected[i]);
    worst = off <= worst ? worst : off;  // NaN too
  }
  return worst / top;
}

}  // namespace

std::vector<KernelCheck> check_kernels(Kernels& kernels, int capability) {
  const bool is_cpu = capability == 0, has_bf16 = is_cpu || capability >= 80;
  const auto cpu = make_cpu_kernels(0);
  std::vector<KernelCheck> checks;
  const auto check = [&](const char* what, DType name, Calculation calculate, DType dtype) {
    KernelCheck& result = checks.emplace_back();
    result.name = std::string(what) + " " + std::string(dtype_name(name));
    result.bound = bound_of(dtype);
    try {
      result.error = largest_difference(calculate(kernels, dtype, dtype),
                                        calculate(*cpu, is_cpu ? DType::f64 : dtype, dtype));
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& e) {
      result.failure = e.what();
    }
  };
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    if (dtype != DType::bf16 || has_bf16) {
      check("product", dtype, product, dtype);
      check("convolution", dtype, convolution, dtype);
      check("attention", dtype, attention, dtype);
    }
  }
  const DType result = has_bf16 ? DType::bf16 : DType::f16;
  const auto check_codes = [&](const char* what, Kernels::CodesProducts whose, bool has_fp8) {
    kernels.choose_products(whose);
    check(what, DType::i8, product_of_codes<DType::i8>, result);
    if (has_fp8) {
      check(what, DType::f8_e4m3, product_of_codes<DType::f8_e4m3>, result);
    }
  };
  check_codes("product", Kernels::CodesProducts::library, has_bf16);
  if (!is_cpu) {
    check_codes("our product", Kernels::CodesProducts::ours, capability >= 89);
  }
  kernels.choose_products(Kernels::CodesProducts::faster);
  return checks;
}

}  // namespace mantissa
