#pragma once
// What follows a GEMM whose result is rounded once: scales, addend and bias.

#include <cmath>
#include <cstdint>

#include "kernels/cuda/device.cuh"
#include "kernels/cuda/elements.cuh"
#include "kernels/cuda/libraries.h"

namespace mantissa::cuda {

/// out = a_scale·b_scale[n]·product + beta·addend + bias, of T.
template <typename T>
struct Finish {
  const float* a_scale;
  bool by_row;           ///< a_scale has one value a row
  const float* b_scale;  ///< null: 1
  const T* bias;         ///< or null
  Rows<const T> addend;
  Rows<T> out;
  float beta;
};

template <typename T>
Finish<T> finish_of(const CodesProduct& p) {
  return {p.a_scale.as<float>(),
          p.a_scale.count() > 1,
          p.b_scale.as<float>(),
          p.bias.as<T>(),
          rows_of<const T>(p.addend),
          rows_of<T>(p.out),
          p.beta};
}

/// FP8: as cuBLASLt scales where it can.
struct OneScale {
  template <typename P>
  __device__ static float of(P product, float a, float b) {
    return static_cast<float>(product) * (a * b);
  }
  __device__ static float add(float value, float beta, float addend) {
    return value + beta * addend;
  }
};
/// int8: rounded as on the CPU.
struct ScaleByScale {
  template <typename P>
  __device__ static float of(P product, float a, float b) {
    return static_cast<float>(product) * a * b;
  }
  __device__ static float add(float value, float beta, float addend) {
    return std::fma(beta, addend, value);
  }
};

/// Stores N neighbours of `row`, from `col` on.
template <typename Rule, int N, typename P, typename T>
__device__ inline void finish_lanes(const Finish<T>& f, std::int64_t row, std::int64_t col,
                                    const P (&product)[N]) {
  float b[N] = {}, before[N] = {}, bias[N] = {}, value[N];
  if (f.b_scale != nullptr) {
    load_values<N>(f.b_scale + col, b);
  }
  if (f.beta != 0) {
    load_lanes<N>(f.addend.at(row, col), before);
  }
  if (f.bias != nullptr) {
    load_lanes<N>(f.bias + col, bias);
  }
  const float a = f.a_scale[f.by_row ? row : 0];
#pragma unroll
  for (int j = 0; j < N; ++j) {
    value[j] = Rule::of(product[j], a, f.b_scale != nullptr ? b[j] : 1.0F);
    value[j] = f.beta != 0 ? Rule::add(value[j], f.beta, before[j]) : value[j];
    value[j] = f.bias != nullptr ? value[j] + bias[j] : value[j];
  }
  store_lanes<N>(f.out.at(row, col), value);
}

/// Whether finish_lanes may take kPack<T> neighbours wherever those of a row of `cols` begin.
template <typename T>
bool in_lanes(const Finish<T>& f, std::int64_t cols) {
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  return cols % kPack<T> == 0 && takes_packs(f.out, kPack<T>) && takes_packs(f.addend, kPack<T>) &&
         aligned(f.b_scale) && aligned(f.bias);
}

/// `product` is packed; N neighbours to a thread.
template <typename Rule, int N, typename P, typename T>
__global__ void __launch_bounds__(kThreads)
    finish_product_kernel(const P* product, Finish<T> f, std::int64_t rows, std::int64_t cols) {
  for (PackWalk<> at(cols / N); at.row < rows; at.next()) {
    const std::int64_t row = at.row, col = at.pack * N;
    P values[N];
    load_values<N>(product + row * cols + col, values);
    finish_lanes<Rule>(f, row, col, values);
  }
}

template <typename Rule, typename P, typename T>
void finish_product(cudaStream_t stream, const P* product, const Finish<T>& f, std::int64_t rows,
                    std::int64_t cols) {
  const bool packs = in_lanes(f, cols) && reinterpret_cast<std::uintptr_t>(product) % 16 == 0;
  dispatch_pack<T>(packs, [&]<int N>() {
    launch<finish_product_kernel<Rule, N, P, T>>(stream, grid_for(rows * (cols / N)), product, f,
                                                 rows, cols);
  });
}

}  // namespace mantissa::cuda
