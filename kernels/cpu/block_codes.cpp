// Block formats: MXFP8 and NVFP4 made and read, GGUF's read.
#include "kernels/block_codes.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/cpu/rotation.h"

namespace mantissa::MANTISSA_ISA {

namespace {

constexpr int kMostValues = 256;  ///< of a block

/// The numbers of E2M1's codes.
constexpr std::array<float, 16> kFp4Values = [] {
  std::array<float, 16> values{};
  for (int code = 0; code < 16; ++code) {
    values[static_cast<std::size_t>(code)] = fp4_value(code);
  }
  return values;
}();

/// The values of a block.
template <typename Codec>
void decode_block(const BlockAt& block, float* to) {
  if constexpr (std::is_same_v<Codec, BlockCodec<DType::mxfp8>>) {
    decode<float>(reinterpret_cast<const float8_e4m3*>(block.codes), Codec::kValues,
                  Codec::step(block, 0).scale, to);
    return;
  }
  if constexpr (std::is_same_v<Codec, BlockCodec<DType::nvfp4>>) {
    const FourBitLookup lookup(kFp4Values.data());
    const Vec<float> scale(Codec::step(block, 0).scale);
    for (int i = 0; i < Codec::kValues; i += Vec<float>::kLanes) {
      store(to + i, lookup(block.codes + i / 2) * scale);
    }
    return;
  }
  for (int run = 0; run < Codec::kValues / Codec::kRun; ++run) {
    const BlockStep step = Codec::step(block, run);
    for (int i = run * Codec::kRun; i < (run + 1) * Codec::kRun; ++i) {
      to[i] = block_value(step, Codec::code(block, i));
    }
  }
}

/// Values [first, first + n) of a tensor, rounded to S.
template <typename Codec, typename S>
void decode_run(const BlockTensor& from, std::int64_t first, std::int64_t n, S* to) {
  alignas(64) float values[kMostValues];
  for (const std::int64_t end = first + n; first < end;) {
    const std::int64_t block = first / Codec::kValues, begin = first % Codec::kValues;
    const std::int64_t count = std::min(Codec::kValues - begin, end - first);
    decode_block<Codec>(from.at<Codec>(block), values);
    if constexpr (std::is_same_v<S, double>) {
      std::copy_n(values + begin, count, to);
    } else {
      store_run(values + begin, count, to);
    }
    first += count;
    to += count;
  }
}

/// The values of block `b` of `x`, filled up with zeros.
template <typename Codec, typename S>
void read_block(const S* x, std::int64_t count, std::int64_t b, float* values) {
  const std::int64_t first = b * Codec::kValues;
  const auto n = static_cast<int>(std::min<std::int64_t>(Codec::kValues, count - first));
  std::fill_n(values, Codec::kValues, 0.0F);
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<float>(x[first + i]);
  }
}

}  // namespace

void CpuKernels::quantize_blocks(const View& in, const View& out) {
  const std::int64_t count = in.count();
  const BlockTensor to = block_tensor(out.data, out.dtype, count);
  const auto blocks_of = [&]<typename Codec, typename S>(const auto& use) {
    const std::int64_t blocks = block_layout(out.dtype, count).blocks;
    for_ranges(pool_, blocks, row_grain(Codec::kValues),
               [&](std::int64_t begin, std::int64_t end, int thread) {
                 float values[Codec::kValues];
                 for (std::int64_t b = begin; b < end; ++b) {
                   read_block<Codec>(in.as<S>(), count, b, values);
                   use(values, b, thread);
                 }
               });
  };
  const auto encode = [&]<typename Codec, typename S>() {
    *to.factor = 1;
    if (out.dtype == DType::nvfp4) {
      std::vector<float> largest(static_cast<std::size_t>(pool_.threads()));
      blocks_of.template operator()<Codec, S>([&](const float* x, std::int64_t, int thread) {
        float& most = largest[static_cast<std::size_t>(thread)];
        most = std::max(most, largest_magnitude(x, Codec::kValues).value);
      });
      *to.factor = nvfp4_factor(*std::ranges::max_element(largest));
    }
    blocks_of.template operator()<Codec, S>(
        [&](const float* x, std::int64_t b, int) { encode_block(Codec(), x, to, b); });
  };
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      if (out.dtype == DType::mxfp8) {
        encode.template operator()<BlockCodec<DType::mxfp8>, S>();
      } else {
        encode.template operator()<BlockCodec<DType::nvfp4>, S>();
      }
    }
  });
}

void CpuKernels::dequantize_blocks(const View& in, const View& out) {
  const std::int64_t cols = in.cols();
  const BlockTensor from = block_tensor(in.data, in.dtype, in.count());
  dispatch_blocks(in.dtype, [&]<typename Codec>() {
    dispatch_float(out.dtype, [&]<typename S>() {
      for_ranges(pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t r = begin; r < end; ++r) {
          decode_run<Codec>(from, r * cols, cols, out.as<S>() + r * out.row_stride);
        }
      });
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
