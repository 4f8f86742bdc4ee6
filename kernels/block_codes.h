#pragma once
// Weights in blocks that hold their own scales, the same on every backend. A tensor is one run of
// values, row after row; value = scale · code - below, where a run of a block's codes shares both.
//
//   mxfp8   E4M3 codes in blocks of 32, scales that are powers of two (E8M0): OCP Microscaling
//           Formats (MX) 1.0; a scale is the least with which no value exceeds 448
//   nvfp4   E2M1 codes in blocks of 16, two a byte, the first in its upper half; E4M3 scales, and
//   an
//           fp32 factor for the tensor
//   q…      those of GGUF files: layouts as in ggml-common.h (MIT), the values those of the gguf
//           package, bit for bit
//
// In memory mxfp8 and nvfp4 have all codes, the factor, then all scales; a block of GGUF holds its
// scales itself. A block with a value that isn't finite has a NaN as its scale.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "kernels/dtype.h"
#include "kernels/host_device.h"
#include "kernels/nf4.h"

namespace mantissa {

/// Where a block's parts are.
struct BlockAt {
  const std::uint8_t* codes;  ///< of GGUF: the block
  const std::uint8_t* scale;
  float factor;
};
/// What a run of codes shares.
struct BlockStep {
  float scale, below;
};
/// Where `below` is not 0 the product is exact (11 bits times 6 times 5 at most), so that a
/// compiler may fuse both.
MANTISSA_HD inline float block_value(const BlockStep& step, float code) {
  return step.scale * code - step.below;
}

namespace detail {

MANTISSA_HD inline float half_at(const std::uint8_t* p) {
  return decode_float<5, 10, true>(static_cast<std::uint32_t>(p[0] | p[1] << 8));
}
MANTISSA_HD inline float signed_at(const std::uint8_t* p) {
  return static_cast<float>(static_cast<std::int8_t>(*p));
}
MANTISSA_HD inline float whole(int code) {
  return static_cast<float>(code);
}
/// Bit `i` of a run of bits.
MANTISSA_HD inline int bit_at(const std::uint8_t* bits, int i) {
  return bits[i / 8] >> (i % 8) & 1;
}
/// The four bits of 32 codes in 16 bytes: those of the first half, then of the second.
MANTISSA_HD inline int four_bits(const std::uint8_t* codes, int i) {
  return codes[i % 16] >> (i / 16 * 4) & 15;
}
/// The two bits of 256 codes in 64 bytes.
MANTISSA_HD inline int two_bits(const std::uint8_t* codes, int i) {
  return codes[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
}

/// Scale and minimum `j` of eight, six bits each in twelve bytes.
MANTISSA_HD inline BlockStep step_of_k(const std::uint8_t* block, int j) {
  const std::uint8_t* packed = block + 4;
  const int scale = j < 4 ? packed[j] & 63 : (packed[j + 4] & 15) | packed[j - 4] >> 6 << 4;
  const int below = j < 4 ? packed[j + 4] & 63 : packed[j + 4] >> 4 | packed[j] >> 6 << 4;
  return {half_at(block) * whole(scale), half_at(block + 2) * whole(below)};
}

}  // namespace detail

// -- MXFP8 and NVFP4 -------------------------------------------------------------------------------

/// 2^(byte - 127), NaN for 255.
MANTISSA_HD inline float e8m0_value(std::uint8_t byte) {
  return std::bit_cast<float>(byte == 255 ? 0x7fc00000U
                              : byte == 0 ? 0x00400000U
                                          : static_cast<std::uint32_t>(byte) << 23);
}
/// The least scale with which `largest`, which is finite, doesn't exceed E4M3's 448.
MANTISSA_HD inline std::uint8_t mx_scale(float largest) {
  const auto bits = std::bit_cast<std::uint32_t>(largest / 448.0F);
  const std::uint32_t exponent = bits >> 23, fraction = bits & 0x7fffffU;
  const bool above = fraction > (exponent == 0 ? 0x400000U : 0U);
  return static_cast<std::uint8_t>(exponent + (above ? 1 : 0));
}
/// x · 2^(127 - scale) as E4M3; 0 for a NaN's scale.
MANTISSA_HD inline std::uint8_t mx_code(float x, std::uint8_t scale) {
  const float inverse = e8m0_value(static_cast<std::uint8_t>(254 - scale));
  return scale == 255 ? std::uint8_t{0} : float8_e4m3(x * inverse).bits;
}

inline constexpr float kFp4Most = 6.0F;  ///< E2M1's largest number

MANTISSA_HD constexpr float fp4_value(int code) {
  const int exponent = code >> 1 & 3, one = code & 1;
  const auto half = static_cast<float>(exponent == 0 ? one : (2 + one) << (exponent - 1)) * 0.5F;
  return (code & 8) != 0 ? -half : half;
}
/// The nearest of E2M1, of two the even one; beyond its largest, that.
MANTISSA_HD inline int fp4_code(float x) {
  const float a = std::fabs(x);
  const int code = (a > 0.25F ? 1 : 0) + (a >= 0.75F ? 1 : 0) + (a > 1.25F ? 1 : 0) +
                   (a >= 1.75F ? 1 : 0) + (a > 2.5F ? 1 : 0) + (a >= 3.5F ? 1 : 0) +
                   (a > 5.0F ? 1 : 0);
  return code | static_cast<int>(std::bit_cast<std::uint32_t>(x) >> 31) << 3;
}
/// A tensor's factor, for finite values up to `largest`.
MANTISSA_HD inline float nvfp4_factor(float largest) {
  const float factor = largest / (448.0F * kFp4Most);
  return factor < 0x1p-126F ? 1.0F : factor;
}
/// The E4M3 scale of a block of finite values up to `largest`.
MANTISSA_HD inline std::uint8_t nvfp4_scale(float largest, float factor) {
  const float scale = largest / kFp4Most / factor;
  return float8_e4m3(scale < 448.0F ? scale : 448.0F).bits;
}
inline constexpr std::uint8_t kNvfp4Nan = 0x7f;
/// A value's code under the block's scale · factor; 0 where that is 0 or NaN.
MANTISSA_HD inline int nvfp4_code(float x, float scale) {
  return scale > 0.0F ? fp4_code(x / scale) : 0;
}

// -- codecs ----------------------------------------------------------------------------------------

/// The codec of one format: kValues in a block, kBytes of its codes (GGUF: of all of it), kScales
/// bytes of a scale beside them, kRun codes that share a step; step(block, run) and code(block, i).
template <DType kFormat>
struct BlockCodec;

template <>
struct BlockCodec<DType::mxfp8> {
  static constexpr int kValues = 32, kBytes = 32, kScales = 1, kRun = 32;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) { return {e8m0_value(*b.scale), 0}; }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return detail::decode_float<4, 3, false>(b.codes[i]);
  }
};

template <>
struct BlockCodec<DType::nvfp4> {
  static constexpr int kValues = 16, kBytes = 8, kScales = 1, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) {
    return {detail::decode_float<4, 3, false>(*b.scale) * b.factor, 0};
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return fp4_value(b.codes[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15);
  }
};

template <>
struct BlockCodec<DType::q4_0> {
  static constexpr int kValues = 32, kBytes = 18, kScales = 0, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) { return {detail::half_at(b.codes), 0}; }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return detail::whole(detail::four_bits(b.codes + 2, i) - 8);
  }
};

template <>
struct BlockCodec<DType::q4_1> {
  static constexpr int kValues = 32, kBytes = 20, kScales = 0, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) {
    return {detail::half_at(b.codes), -detail::half_at(b.codes + 2)};
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return detail::whole(detail::four_bits(b.codes + 4, i));
  }
};

template <>
struct BlockCodec<DType::q5_0> {
  static constexpr int kValues = 32, kBytes = 22, kScales = 0, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) { return {detail::half_at(b.codes), 0}; }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    const int top = detail::bit_at(b.codes + 2, i);
    return detail::whole((detail::four_bits(b.codes + 6, i) | top << 4) - 16);
  }
};

template <>
struct BlockCodec<DType::q5_1> {
  static constexpr int kValues = 32, kBytes = 24, kScales = 0, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) {
    return {detail::half_at(b.codes), -detail::half_at(b.codes + 2)};
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    const int top = detail::bit_at(b.codes + 4, i);
    return detail::whole(detail::four_bits(b.codes + 8, i) | top << 4);
  }
};

template <>
struct BlockCodec<DType::q8_0> {
  static constexpr int kValues = 32, kBytes = 34, kScales = 0, kRun = 32;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int) { return {detail::half_at(b.codes), 0}; }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return detail::signed_at(b.codes + 2 + i);
  }
};

template <>
struct BlockCodec<DType::q2_k> {
  static constexpr int kValues = 256, kBytes = 84, kScales = 0, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int run) {
    const int scales = b.codes[run];
    return {detail::half_at(b.codes + 80) * detail::whole(scales & 15),
            detail::half_at(b.codes + 82) * detail::whole(scales >> 4)};
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return detail::whole(detail::two_bits(b.codes + 16, i));
  }
};

template <>
struct BlockCodec<DType::q3_k> {
  static constexpr int kValues = 256, kBytes = 110, kScales = 0, kRun = 16;
  /// Step of one of 16 scales of six bits: four bits in eight bytes, then two in four.
  MANTISSA_HD static BlockStep step(const BlockAt& b, int run) {
    const std::uint8_t* packed = b.codes + 96;
    const int four = packed[run % 8] >> (run / 8 * 4) & 15;
    const int two = packed[8 + run % 4] >> (run / 4 * 2) & 3;
    return {detail::half_at(b.codes + 108) * detail::whole((four | two << 4) - 32), 0};
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    const int top = b.codes[i % 32] >> (i / 32) & 1;
    return detail::whole(detail::two_bits(b.codes + 32, i) - (top == 0 ? 4 : 0));
  }
};

template <>
struct BlockCodec<DType::q4_k> {
  static constexpr int kValues = 256, kBytes = 144, kScales = 0, kRun = 32;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int run) {
    return detail::step_of_k(b.codes, run);
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    return detail::whole(b.codes[16 + i / 64 * 32 + i % 32] >> (i / 32 % 2 * 4) & 15);
  }
};

template <>
struct BlockCodec<DType::q5_k> {
  static constexpr int kValues = 256, kBytes = 176, kScales = 0, kRun = 32;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int run) {
    return detail::step_of_k(b.codes, run);
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    const int top = b.codes[16 + i % 32] >> (i / 32) & 1;
    return detail::whole((b.codes[48 + i / 64 * 32 + i % 32] >> (i / 32 % 2 * 4) & 15) | top << 4);
  }
};

template <>
struct BlockCodec<DType::q6_k> {
  static constexpr int kValues = 256, kBytes = 210, kScales = 0, kRun = 16;
  MANTISSA_HD static BlockStep step(const BlockAt& b, int run) {
    return {detail::half_at(b.codes + 208) * detail::signed_at(b.codes + 192 + run), 0};
  }
  MANTISSA_HD static float code(const BlockAt& b, int i) {
    const int quarter = i % 128 / 32;
    const int four = b.codes[i / 128 * 64 + quarter % 2 * 32 + i % 32] >> (quarter / 2 * 4) & 15;
    const int top = b.codes[128 + i / 128 * 32 + i % 32] >> (quarter * 2) & 3;
    return detail::whole((four | top << 4) - 32);
  }
};

/// Calls f<BlockCodec<…>>() with a block format's codec; not of NF4.
template <typename Fn>
constexpr decltype(auto) dispatch_blocks(DType d, Fn&& f) {
  switch (d) {
    case DType::mxfp8:
      return f.template operator()<BlockCodec<DType::mxfp8>>();
    case DType::nvfp4:
      return f.template operator()<BlockCodec<DType::nvfp4>>();
    case DType::q4_0:
      return f.template operator()<BlockCodec<DType::q4_0>>();
    case DType::q4_1:
      return f.template operator()<BlockCodec<DType::q4_1>>();
    case DType::q5_0:
      return f.template operator()<BlockCodec<DType::q5_0>>();
    case DType::q5_1:
      return f.template operator()<BlockCodec<DType::q5_1>>();
    case DType::q8_0:
      return f.template operator()<BlockCodec<DType::q8_0>>();
    case DType::q2_k:
      return f.template operator()<BlockCodec<DType::q2_k>>();
    case DType::q3_k:
      return f.template operator()<BlockCodec<DType::q3_k>>();
    case DType::q4_k:
      return f.template operator()<BlockCodec<DType::q4_k>>();
    case DType::q5_k:
      return f.template operator()<BlockCodec<DType::q5_k>>();
    case DType::q6_k:
      return f.template operator()<BlockCodec<DType::q6_k>>();
    default:
      throw std::invalid_argument("dispatch_blocks: a block format expected");
  }
}

// -- tensors ---------------------------------------------------------------------------------------

/// Sizes of a format, and where the parts of a tensor lie, in bytes from its codes.
struct BlockLayout {
  int values = 0;  ///< in a block
  int codes = 0;   ///< bytes of a block's codes
  std::int64_t blocks = 0;
  std::size_t factor = 0;  ///< fp32; of nvfp4
  std::size_t scales = 0;  ///< a byte a block; of mxfp8 and nvfp4
  std::size_t bytes = 0;   ///< of all
};
constexpr BlockLayout block_layout(DType dtype, std::int64_t count) {
  return dispatch_blocks(dtype, [&]<typename Codec>() {
    constexpr std::size_t kAlignment = 64;
    BlockLayout layout;
    layout.values = Codec::kValues;
    layout.codes = Codec::kBytes;
    layout.blocks = (count + Codec::kValues - 1) / Codec::kValues;
    layout.bytes = static_cast<std::size_t>(layout.blocks) * Codec::kBytes;
    if (Codec::kScales > 0) {
      layout.factor = (layout.bytes + kAlignment - 1) / kAlignment * kAlignment;
      layout.scales = layout.factor + sizeof(float);
      layout.bytes = layout.scales + static_cast<std::size_t>(layout.blocks) * Codec::kScales;
    }
    return layout;
  });
}

/// A tensor's parts, for kernels.
struct BlockTensor {
  std::uint8_t* codes;
  std::uint8_t* scales;
  float* factor;

  /// Codes and scale of block `b`.
  template <typename Codec>
  MANTISSA_HD BlockAt at(std::int64_t b) const {
    return {codes + b * Codec::kBytes, scales + b * Codec::kScales,
            Codec::kScales > 0 ? *factor : 1.0F};
  }
};
inline BlockTensor block_tensor(void* data, DType dtype, std::int64_t count) {
  const BlockLayout layout = block_layout(dtype, count);
  auto* bytes = static_cast<std::uint8_t*>(data);
  return {bytes, bytes + layout.scales, reinterpret_cast<float*>(bytes + layout.factor)};
}

// -- made on the host ------------------------------------------------------------------------------

/// The largest finite magnitude, and whether all are finite.
struct LargestMagnitude {
  float value = 0;
  bool finite = true;
};
inline LargestMagnitude largest_magnitude(const float* x, std::int64_t n) {
  LargestMagnitude largest;
  for (std::int64_t i = 0; i < n; ++i) {
    const float a = std::fabs(x[i]);
    largest.finite = largest.finite && std::isfinite(a);
    largest.value = std::isfinite(a) ? std::max(largest.value, a) : largest.value;
  }
  return largest;
}

/// Codes and scale of block `b` from its values; of nvfp4 by the factor in `to`.
inline void encode_block(const BlockCodec<DType::mxfp8>&, const float* x, const BlockTensor& to,
                         std::int64_t b) {
  using Codec = BlockCodec<DType::mxfp8>;
  const LargestMagnitude largest = largest_magnitude(x, Codec::kValues);
  const std::uint8_t scale = largest.finite ? mx_scale(largest.value) : std::uint8_t{255};
  to.scales[b] = scale;
  for (int i = 0; i < Codec::kValues; ++i) {
    to.codes[b * Codec::kBytes + i] = mx_code(x[i], scale);
  }
}
inline void encode_block(const BlockCodec<DType::nvfp4>&, const float* x, const BlockTensor& to,
                         std::int64_t b) {
  using Codec = BlockCodec<DType::nvfp4>;
  const LargestMagnitude largest = largest_magnitude(x, Codec::kValues);
  to.scales[b] = largest.finite ? nvfp4_scale(largest.value, *to.factor) : kNvfp4Nan;
  const float scale = Codec::step(to.at<Codec>(b), 0).scale;
  for (std::int64_t i = 0; i < Codec::kBytes; ++i) {
    to.codes[b * Codec::kBytes + i] = static_cast<std::uint8_t>(nvfp4_code(x[2 * i], scale) << 4 |
                                                                nvfp4_code(x[2 * i + 1], scale));
  }
}

/// Bytes of `count` elements, of blocks with their scales.
constexpr std::size_t stored_bytes(DType dtype, std::int64_t count) {
  return is_nf4(dtype)       ? nf4_layout(dtype, count).bytes
         : is_blocked(dtype) ? block_layout(dtype, count).bytes
                             : static_cast<std::size_t>(count) * dtype_size(dtype);
}

}  // namespace mantissa
