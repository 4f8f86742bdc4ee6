#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// x [batch, tokens, width], index [batch] within tokens, rows [batch, width].
void check_tokens(const View& x, const View& index, const View& rows, const char* kernel,
                  const char* x_name, const char* rows_name) {
  check_float(x, kernel, x_name);
  check_float(rows, kernel, rows_name);
  check_dtype(rows, x.dtype, kernel, rows_name);
  check_index(index, kernel, "index");
  check_kernel(x.shape.rank() == 3, kernel,
               std::string(x_name) + " must be [batch, tokens, width]; it is " + x.shape.str());
  check_shape(index, {x.shape[0]}, kernel, "index");
  check_shape(rows, {x.shape[0], x.shape[2]}, kernel, rows_name);
  for (std::int64_t b = 0; b < x.shape[0]; ++b) {
    const std::int32_t i = index.as<std::int32_t>()[b];
    check_kernel(i >= 0 && i < x.shape[1], kernel,
                 "index[" + std::to_string(b) + "] is " + std::to_string(i) + ", outside of " +
                     std::to_string(x.shape[1]) + " tokens");
  }
}

/// table [vocab, width], ids [...], rows [..., width]; every id within the vocabulary.
void check_embedding(const View& table, const View& ids, const View& rows, const char* kernel,
                     const char* table_name, const char* rows_name) {
  check_float(table, kernel, table_name);
  check_float(rows, kernel, rows_name);
  check_index(ids, kernel, "ids");
  check_kernel(table.shape.rank() == 2, kernel,
               std::string(table_name) + " must be [vocab, width]; it is " + table.shape.str());
  check_kernel(ids.shape.rank() < Shape::kMaxRank, kernel, "ids has too many dimensions");
  Shape expected = ids.shape;
  expected.push_back(table.cols());
  check_shape(rows, expected, kernel, rows_name);
  for (std::int64_t i = 0; i < ids.count(); ++i) {
    const std::int32_t id = ids.as<std::int32_t>()[i];
    check_kernel(id >= 0 && id < table.shape[0], kernel,
                 "ids[" + std::to_string(i) + "] is " + std::to_string(id) +
                     ", outside of a vocabulary of " + std::to_string(table.shape[0]));
  }
}

}  // namespace

void CpuKernels::gather_tokens(const View& in, const View& index, const View& out) {
  check_tokens(in, index, out, "gather_tokens", "in", "out");
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
  const char* kernel = "embedding_backward";
  check_embedding(d_table, ids, d_out, kernel, "d_table", "d_out");
  check_kernel(d_table.dtype == d_out.dtype || d_table.dtype == statistics_dtype(d_out.dtype),
               kernel, "d_table must have d_out's dtype or be fp32");
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
  const char* kernel = "timestep_embedding";
  check_float(out, kernel, "out");
  check_float(t, kernel, "t");
  check_dtype(t, statistics_dtype(out.dtype), kernel, "t");
  check_packed(t, kernel, "t");
  check_kernel(
      out.shape.rank() == 2 && out.rows() == t.count() && out.cols() % 2 == 0, kernel,
      "out must be [" + std::to_string(t.count()) + ", even width]; it is " + out.shape.str());
  const std::int64_t half = out.cols() / 2;
  dispatch_float(out.dtype, [&]<typename S>() {
    // fp32 rounds where the reference models round (exponent, frequency, angle): at t = 999 the
    // angle's rounding alone is 3e-5, and a network trained on it should see the same numbers.
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
