#include <cmath>
#include <type_traits>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

namespace mantissa::cuda {

namespace {

/// A value to be stored as To, before rounding.
template <typename To>
struct Convert {
  __device__ float operator()(float x) const { return x; }
  __device__ accumulator_t<To> operator()(double x) const {
    // A single rounding to a narrow type, via float with a sticky bit (round to odd).
    float f = static_cast<float>(x);
    const double back = static_cast<double>(f);
    const auto bits = std::bit_cast<std::uint32_t>(f);
    if (!std::is_same_v<To, float> && back != x && (bits & 1u) == 0 &&
        (bits & 0x7f800000u) != 0x7f800000u) {
      f = std::bit_cast<float>(std::fabs(back) > std::fabs(x) ? bits - 1 : bits | 1u);
    }
    return f;
  }
};
template <>
struct Convert<double> {
  __device__ double operator()(float x) const { return static_cast<double>(x); }
};

/// Row (a, j, i) of [a, n, m, c] comes from row (a, i, j) of [a, m, n, c].
struct SwappedRow {
  std::int64_t m, n;
  __device__ std::int64_t operator()(std::int64_t row) const {
    const std::int64_t outer = row / (m * n), j = row / m % n, i = row % m;
    return (outer * m + i) * n + j;
  }
};

template <typename T>
struct Constant {
  T value;
  __device__ T operator()() const { return value; }
};
struct Add {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Multiply {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a * b;
  }
};
template <typename T>
struct ScaleBy {
  T factor;
  __device__ T operator()(T x) const { return x * factor; }
};

/// One Philox block for four neighbours. x·0 would turn a dropped infinity into NaN.
template <typename S>
__global__ void __launch_bounds__(kThreads)
    dropout_kernel(std::int64_t count, RandomKey key, const RunCell* run, float p,
                   accumulator_t<S> factor, const S* in, S* out) {
  key = run_key(key, run);
  for (std::int64_t block = global_thread(); block < (count + 3) / 4; block += global_threads()) {
    const auto words = random_block(key, static_cast<std::uint32_t>(block));
    for (int i = 0; i < 4 && 4 * block + i < count; ++i) {
      const std::int64_t e = 4 * block + i;
      const bool keep = uniform_from_bits(words[static_cast<std::size_t>(i)]) >= p;
      store(out + e, keep ? load(in + e) * factor : accumulator_t<S>(0));
    }
  }
}

}  // namespace

void CudaKernels::copy(const View& in, const View& out) {
  check_copy(in, out);
  if (in.dtype == out.dtype) {
    if (in.data != out.data && in.contiguous() && out.contiguous()) {
      const std::size_t bytes = static_cast<std::size_t>(in.count()) * dtype_size(in.dtype);
      check_cuda(cudaMemcpyAsync(out.data, in.data, bytes, cudaMemcpyDeviceToDevice, stream()),
                 "copy");
    } else if (in.data != out.data) {
      copy_rows(stream(), in, out, SameRow{});
    }
    return;
  }
  dispatch_any_float(in.dtype, [&]<typename From>() {
    dispatch_any_float(out.dtype, [&]<typename To>() {
      if constexpr (!std::is_same_v<From, To>) {
        map_rows(stream(), extent_of(in, {&in, &out}), Convert<To>{}, rows_of<To>(out),
                 rows_of<const From>(in));
      }
    });
  });
}

void CudaKernels::swap_middle(const View& in, const View& out) {
  check_swap_middle(in, out);
  copy_rows(stream(), in, out, SwappedRow{in.shape[1], in.shape[2]});
}

void CudaKernels::fill(const View& out, float value) {
  check_float(out, "fill", "out");
  dispatch_float(out.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    map_rows(stream(), extent_of(out, {&out}), Constant<T>{static_cast<T>(value)}, rows_of<S>(out));
  });
}

void CudaKernels::add(const View& a, const View& b, const View& out) {
  check_float(a, "add", "a");
  check_like(b, a, "add", "b");
  check_like(out, a, "add", "out");
  dispatch_float(a.dtype, [&]<typename S>() {
    map_rows(stream(), extent_of(a, {&a, &b, &out}), Add{}, rows_of<S>(out), rows_of<const S>(a),
             rows_of<const S>(b));
  });
}

void CudaKernels::multiply(const View& a, const View& b, const View& out) {
  check_float(a, "multiply", "a");
  check_like(b, a, "multiply", "b");
  check_like(out, a, "multiply", "out");
  dispatch_float(a.dtype, [&]<typename S>() {
    map_rows(stream(), extent_of(a, {&a, &b, &out}), Multiply{}, rows_of<S>(out),
             rows_of<const S>(a), rows_of<const S>(b));
  });
}

void CudaKernels::scale(const View& in, float factor, const View& out) {
  check_float(in, "scale", "in");
  check_like(out, in, "scale", "out");
  dispatch_float(in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    map_rows(stream(), extent_of(in, {&in, &out}), ScaleBy<T>{static_cast<T>(factor)},
             rows_of<S>(out), rows_of<const S>(in));
  });
}

void CudaKernels::dropout(const View& in, float p, const RandomKey& key, const View& out) {
  check_dropout(in, p, out);
  if (in.count() == 0) {
    return;
  }
  dispatch_float(in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    launch<dropout_kernel<S>>(stream(), grid_for(ceil_div(in.count(), 4), kThreads, kMaxBlocks),
                              in.count(), key, context_->run_cell(key), p,
                              T(1) / (T(1) - static_cast<T>(p)), in.as<const S>(), out.as<S>());
  });
}

}  // namespace mantissa::cuda
