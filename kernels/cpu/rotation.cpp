// Rows rotated in groups, and their int8 codes.
#include "kernels/cpu/rotation.h"

#include <algorithm>
#include <type_traits>

#include "kernels/check_quant.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/cpu/encode.h"
#include "kernels/weight_codes.h"

namespace mantissa::MANTISSA_ISA {

namespace {

float* floats_of_thread(Scratch& scratch, int thread, std::int64_t count) {
  return static_cast<float*>(
      scratch.of_thread(thread, static_cast<std::size_t>(count) * sizeof(float)));
}

}  // namespace

void CpuKernels::quantize_rotated(const View& in, const View& out, const View& scale) {
  const std::int64_t cols = in.cols();
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      for_ranges(
          pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int thread) {
            float* row = floats_of_thread(scratch_, thread, cols);
            for (std::int64_t r = begin; r < end; ++r) {
              store_run(in.as<S>() + r * in.row_stride, cols, row);
              rotate_fast(row, cols, rotation_group(cols));
              const float s =
                  code_scale(largest<int8_code>(row, nullptr, cols), CodeFormat<int8_code>::kMax);
              scale.as<float>()[r] = s;
              encode_row<int8_code>(row, nullptr, 1.0F / s, cols,
                                    out.as<std::uint8_t>() + r * cols);
            }
          });
    }
  });
}

void CpuKernels::dequantize_rotated(const View& in, const View& scale, const View& out) {
  const std::int64_t cols = in.cols(), step = scale.count() == 1 ? 0 : 1;
  dispatch_float(out.dtype, [&]<typename S>() {
    for_ranges(
        pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int thread) {
          float* row = floats_of_thread(scratch_, thread, cols);
          for (std::int64_t r = begin; r < end; ++r) {
            decode<float>(in.as<int8_code>() + r * cols, cols, scale.as<float>()[r * step], row);
            rotate_fast(row, cols, rotation_group(cols));
            S* to = out.as<S>() + r * out.row_stride;
            if constexpr (std::is_same_v<S, double>) {
              std::copy(row, row + cols, to);
            } else {
              store_run(row, cols, to);
            }
          }
        });
  });
}

std::vector<float> CpuKernels::rotated_fp32(const View& in) {
  const std::int64_t cols = in.cols();
  std::vector<float> out(static_cast<std::size_t>(in.count()));
  dispatch_float(in.dtype, [&]<typename S>() {
    for_ranges(pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t r = begin; r < end; ++r) {
        float* row = out.data() + r * cols;
        const S* from = in.as<S>() + r * in.row_stride;
        std::transform(from, from + cols, row, [](S x) { return static_cast<float>(x); });
        rotate_fast(row, cols, rotation_group(cols));
      }
    });
  });
  return out;
}

void CpuKernels::rotate(const View& in, const View& addend, const View& out) {
  check_rotate(in, addend, out);
  const std::int64_t cols = in.cols();
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      for_ranges(pool_, in.rows(), row_grain(cols),
                 [&](std::int64_t begin, std::int64_t end, int thread) {
                   float* row = floats_of_thread(scratch_, thread, cols);
                   for (std::int64_t r = begin; r < end; ++r) {
                     store_run(in.as<S>() + r * in.row_stride, cols, row);
                     rotate_fast(row, cols, rotation_group(cols));
                     for (std::int64_t i = 0; addend && i < cols; ++i) {
                       row[i] += static_cast<float>(addend.as<S>()[r * addend.row_stride + i]);
                     }
                     store_run(row, cols, out.as<S>() + r * out.row_stride);
                   }
                 });
    }
  });
}

}  // namespace mantissa::MANTISSA_ISA
