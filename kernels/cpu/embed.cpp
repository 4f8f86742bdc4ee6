#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// The values of an index view already checked by check_index.
std::span<const std::int32_t> values_of(const View& index) {
  return {index.as<const std::int32_t>(), static_cast<std::size_t>(index.count())};
}

}  // namespace

void CpuKernels::gather_tokens(const View& in, const View& index, const View& out) {
  check_tokens(in, index, out, "gather_tokens", "in", "out");
  check_token_range(values_of(index), in.shape[1], "gather_tokens");
  const std::size_t size = dtype_size(in.dtype);
  for (std::int64_t b = 0; b < in.shape[0]; ++b) {
    const std::int64_t row = b * in.shape[1] + index.as<std::int32_t>()[b];
    std::memcpy(out.as<char>() + static_cast<std::size_t>(b * out.row_stride) * size,
                in.as<char>() + static_cast<std::size_t>(row * in.row_stride) * size,
                static_cast<std::size_t>(in.cols()) * size);
  }
}

void CpuKernels::scatter_tokens(const View& d_out, const View& index, const View& d_in) {
  check_tokens(d_in, index, d_out, "scatter_tokens", "d_in", "d_out");
  check_token_range(values_of(index), d_in.shape[1], "scatter_tokens");
  fill(d_in, 0.0F);
  const std::size_t size = dtype_size(d_in.dtype);
  for (std::int64_t b = 0; b < d_in.shape[0]; ++b) {
    const std::int64_t row = b * d_in.shape[1] + index.as<std::int32_t>()[b];
    std::memcpy(d_in.as<char>() + static_cast<std::size_t>(row * d_in.row_stride) * size,
                d_out.as<char>() + static_cast<std::size_t>(b * d_out.row_stride) * size,
                static_cast<std::size_t>(d_in.cols()) * size);
  }
}

void CpuKernels::embedding(const View& table, const View& ids, const View& out) {
  check_embedding(table, ids, out, "embedding", "table", "out");
  check_dtype(out, table.dtype, "embedding", "out");
  check_id_range(values_of(ids), table.shape[0], "embedding");
  const std::size_t size = dtype_size(table.dtype);
  for_ranges(
      pool_, ids.count(), row_grain(table.cols()), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t row = ids.as<std::int32_t>()[i];
          std::memcpy(out.as<char>() + static_cast<std::size_t>(i * out.row_stride) * size,
                      table.as<char>() + static_cast<std::size_t>(row * table.row_stride) * size,
                      static_cast<std::size_t>(table.cols()) * size);
        }
      });
}

void CpuKernels::embedding_backward(const View& d_out, const View& ids, const View& d_table) {
  check_embedding_backward(d_out, ids, d_table);
  check_id_range(values_of(ids), d_table.shape[0], "embedding_backward");
  const std::int64_t width = d_table.cols();
  // Chunks are columns: each walks all ids in order, so a row's sum never depends on threads.
  const std::int64_t grain = std::max<std::int64_t>(16, row_grain(ids.count()));
  dispatch_float(d_out.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    dispatch_float(d_table.dtype, [&]<typename To>() {
      if constexpr (std::is_same_v<accumulator_t<S>, accumulator_t<To>>) {
        for_ranges(pool_, width, grain, [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t i = 0; i < ids.count(); ++i) {
            To* to = d_table.as<To>() + ids.as<std::int32_t>()[i] * d_table.row_stride + begin;
            map_elements(
                end - begin, to, [](V a, V b) { return a + b; }, static_cast<const To*>(to),
                d_out.as<S>() + i * d_out.row_stride + begin);
          }
        });
      }
    });
  });
}

void CpuKernels::timestep_embedding(const View& t, const View& out) {
  check_timestep_embedding(t, out);
  const std::int64_t half = out.cols() / 2;
  dispatch_float(out.dtype, [&]<typename S>() {
    // fp32 rounds where the reference models round (exponent, frequency, angle): at t = 999 the
    // angle's rounding alone is 3e-5, and a network should see the same numbers as in training.
    using T = accumulator_t<S>;
    for (std::int64_t n = 0; n < t.count(); ++n) {
      for (std::int64_t i = 0; i < half; ++i) {
        const T exponent =
            static_cast<T>(-9.210340371976184) * static_cast<T>(i) / static_cast<T>(half);
        const T frequency = static_cast<T>(std::exp(static_cast<double>(exponent)));
        const double angle = static_cast<double>(t.as<T>()[n] * frequency);
        S* row = out.as<S>() + n * out.row_stride;
        row[i] = S(static_cast<T>(std::cos(angle)));
        row[half + i] = S(static_cast<T>(std::sin(angle)));
      }
    }
  });
}

}  // namespace mantissa::MANTISSA_ISA
