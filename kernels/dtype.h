#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace mantissa {

/// Element types a tensor can be stored in. `nf4` has block scales in 8 bits, `nf4_fp32` in fp32
/// (nf4.h). `i8_rotated` is int8 codes of rows that are rotated in groups (rotation.h). From
/// `mxfp8` on: block formats (block_codes.h), those of GGUF files from `q4_0` on; `gguf` is any of
/// these, whichever the file has, and the type of no tensor.
enum class DType : std::uint8_t {
  f64,
  f32,
  f16,
  bf16,
  f8_e4m3,
  f8_e5m2,
  i8,
  i64,
  i32,
  u8,
  nf4,
  nf4_fp32,
  i8_rotated,
  mxfp8,
  nvfp4,
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  gguf
};
inline constexpr DType kLastDType = DType::gguf;

/// Bytes of one element; throws std::logic_error for blocks, whose elements have none of their own
/// (stored_bytes).
constexpr std::size_t dtype_size(DType d) {
  switch (d) {
    case DType::f64:
    case DType::i64:
      return 8;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::f8_e4m3:
    case DType::f8_e5m2:
    case DType::i8:
    case DType::i8_rotated:
    case DType::u8:
      return 1;
    default:
      throw std::logic_error("dtype_size: a value in a block has no bytes of its own");
  }
}

/// The name used in presets, messages and the plan ("fp32", "bf16", …).
constexpr std::string_view dtype_name(DType d) {
  switch (d) {
    case DType::f64:
      return "fp64";
    case DType::f32:
      return "fp32";
    case DType::f16:
      return "fp16";
    case DType::bf16:
      return "bf16";
    case DType::f8_e4m3:
      return "fp8_e4m3";
    case DType::f8_e5m2:
      return "fp8_e5m2";
    case DType::i8:
      return "int8";
    case DType::i64:
      return "int64";
    case DType::i32:
      return "int32";
    case DType::u8:
      return "uint8";
    case DType::nf4:
      return "nf4";
    case DType::nf4_fp32:
      return "nf4_fp32";
    case DType::i8_rotated:
      return "int8_convrot";
    case DType::mxfp8:
      return "mxfp8";
    case DType::nvfp4:
      return "nvfp4";
    case DType::q4_0:
      return "q4_0";
    case DType::q4_1:
      return "q4_1";
    case DType::q5_0:
      return "q5_0";
    case DType::q5_1:
      return "q5_1";
    case DType::q8_0:
      return "q8_0";
    case DType::q2_k:
      return "q2_k";
    case DType::q3_k:
      return "q3_k";
    case DType::q4_k:
      return "q4_k";
    case DType::q5_k:
      return "q5_k";
    case DType::q6_k:
      return "q6_k";
    case DType::gguf:
      return "gguf";
  }
  return "?";
}

/// The dtype of that name, if any.
constexpr std::optional<DType> dtype_from_name(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(kLastDType); ++i) {
    if (dtype_name(static_cast<DType>(i)) == name) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

constexpr bool is_float(DType d) {
  return d <= DType::f8_e5m2;
}

constexpr bool is_int8(DType d) {
  return d == DType::i8 || d == DType::i8_rotated;
}
/// Codes of weights, which count only times a scale of their row: FP8 and int8.
constexpr bool is_coded(DType d) {
  return d == DType::f8_e4m3 || d == DType::f8_e5m2 || is_int8(d);
}
constexpr bool is_nf4(DType d) {
  return d == DType::nf4 || d == DType::nf4_fp32;
}
/// Blocks of GGUF files, which are read and never made.
constexpr bool is_gguf(DType d) {
  return d >= DType::q4_0;
}
/// Codes of weights in blocks, which hold their scales.
constexpr bool is_blocked(DType d) {
  return is_nf4(d) || d >= DType::mxfp8;
}
/// Codes of which one alone is no value: blocks, and rotated rows.
constexpr bool is_grouped(DType d) {
  return is_blocked(d) || d == DType::i8_rotated;
}
/// Codes that GEMMs of a backend with `Kernels::decodes_weights` read in pieces; others are
/// dequantised as a whole.
constexpr bool is_read_in_pieces(DType d) {
  return is_nf4(d) || (is_coded(d) && d != DType::i8_rotated);
}
/// Codes of any kind: only for weights, and read by dequantising.
constexpr bool is_quantized(DType d) {
  return is_coded(d) || is_blocked(d);
}

namespace detail {

/// Rounds an FP32 value to a narrow float with `kExpBits`/`kManBits`, round to nearest even.
/// `kHasInf` false: the all-ones exponent holds numbers, only the last code is NaN (E4M3FN), and
/// overflow becomes NaN as in IEEE conversion without saturation; callers clamp first.
template <int kExpBits, int kManBits, bool kHasInf>
constexpr std::uint32_t encode_float(float value) {
  constexpr int kBias = (1 << (kExpBits - 1)) - 1;
  constexpr std::uint32_t kExpMask = (1u << kExpBits) - 1;
  constexpr std::uint32_t kNan = kHasInf ? (kExpMask << kManBits) | (1u << (kManBits - 1))
                                         : (kExpMask << kManBits) | ((1u << kManBits) - 1);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 31) << (kExpBits + kManBits);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    return sign | kNan;
  }
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  std::uint32_t mantissa = magnitude & 0x7fffffu;
  std::uint32_t result = 0;
  if (exponent >= 1 - kBias) {
    const std::uint32_t kept = (static_cast<std::uint32_t>(exponent + kBias) << 23) | mantissa;
    const int shift = 23 - kManBits;
    const std::uint32_t half = (1u << (shift - 1)) - 1 + ((kept >> shift) & 1u);
    result = (kept + half) >> shift;
  } else {
    const int shift = 23 - kManBits + (1 - kBias - exponent);
    if (shift <= 24 && magnitude >= 0x00800000u) {
      mantissa |= 0x800000u;
      const std::uint32_t half = (1u << (shift - 1)) - 1 + ((mantissa >> shift) & 1u);
      result = (mantissa + half) >> shift;
    }
  }
  constexpr std::uint32_t kOverflow = kHasInf ? (kExpMask << kManBits) : kNan;
  return sign | (result >= kOverflow ? kOverflow : result);
}

template <int kExpBits, int kManBits, bool kHasInf>
constexpr float decode_float(std::uint32_t bits) {
  constexpr int kBias = (1 << (kExpBits - 1)) - 1;
  constexpr std::uint32_t kExpMask = (1u << kExpBits) - 1;
  const std::uint32_t sign = (bits >> (kExpBits + kManBits)) << 31;
  const std::uint32_t exponent = (bits >> kManBits) & kExpMask;
  const std::uint32_t mantissa = bits & ((1u << kManBits) - 1);
  if (exponent == 0) {
    // Subnormal: mantissa * 2^(1 - bias - man_bits), exact in FP32 for these formats.
    const float unit =
        std::bit_cast<float>(static_cast<std::uint32_t>(127 + 1 - kBias - kManBits) << 23);
    const float v = static_cast<float>(mantissa) * unit;
    return sign != 0 ? -v : v;
  }
  if (exponent == kExpMask) {
    if constexpr (kHasInf) {
      return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << (23 - kManBits)));
    } else if (mantissa == (1u << kManBits) - 1) {
      return std::bit_cast<float>(sign | 0x7fc00000u);
    }
  }
  return std::bit_cast<float>(sign | ((exponent + 127 - kBias) << 23) |
                              (mantissa << (23 - kManBits)));
}

}  // namespace detail

/// IEEE binary16 storage. Arithmetic is in float.
struct float16 {
  std::uint16_t bits = 0;
  float16() = default;
  constexpr explicit float16(float v)
      : bits(static_cast<std::uint16_t>(detail::encode_float<5, 10, true>(v))) {}
  constexpr explicit operator float() const { return detail::decode_float<5, 10, true>(bits); }
};

/// bfloat16 storage (upper half of an FP32), round to nearest even.
struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  constexpr explicit bfloat16(float v) {
    const auto b = std::bit_cast<std::uint32_t>(v);
    bits = (b & 0x7fffffffu) > 0x7f800000u
               ? static_cast<std::uint16_t>((b >> 16) | 0x40u)
               : static_cast<std::uint16_t>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
  }
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

/// FP8 E4M3FN storage: max 448, no infinity (arXiv 2209.05433). Clamp before converting.
struct float8_e4m3 {
  std::uint8_t bits = 0;
  float8_e4m3() = default;
  constexpr explicit float8_e4m3(float v)
      : bits(static_cast<std::uint8_t>(detail::encode_float<4, 3, false>(v))) {}
  constexpr explicit operator float() const { return detail::decode_float<4, 3, false>(bits); }
};

/// FP8 E5M2 storage: max 57344, has infinity (arXiv 2209.05433).
struct float8_e5m2 {
  std::uint8_t bits = 0;
  float8_e5m2() = default;
  constexpr explicit float8_e5m2(float v)
      : bits(static_cast<std::uint8_t>(detail::encode_float<5, 2, true>(v))) {}
  constexpr explicit operator float() const { return detail::decode_float<5, 2, true>(bits); }
};

/// An int8 code: a whole number within ±127 (-128 is read, but never made).
struct int8_code {
  std::int8_t bits = 0;
  int8_code() = default;
  constexpr explicit operator float() const { return static_cast<float>(bits); }
};

/// The type arithmetic uses for a storage type: double for double, float for the rest.
template <typename T>
struct Accumulator {
  using type = float;
};
template <>
struct Accumulator<double> {
  using type = double;
};
template <typename T>
using accumulator_t = typename Accumulator<T>::type;

/// Calls `f.template operator()<T>()` with the C++ type of a 16-bit-or-wider float dtype.
/// Throws std::invalid_argument for the others.
template <typename F>
decltype(auto) dispatch_float(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f64:
      return f.template operator()<double>();
    case DType::f32:
      return f.template operator()<float>();
    case DType::f16:
      return f.template operator()<float16>();
    case DType::bf16:
      return f.template operator()<bfloat16>();
    default:
      throw std::invalid_argument("dispatch_float: fp64, fp32, fp16 or bf16 expected");
  }
}

/// As dispatch_float, FP8 too.
template <typename F>
void dispatch_any_float(DType d, F&& f) {
  switch (d) {
    case DType::f8_e4m3:
      return f.template operator()<float8_e4m3>();
    case DType::f8_e5m2:
      return f.template operator()<float8_e5m2>();
    default:
      return dispatch_float(d, f);
  }
}

}  // namespace mantissa
