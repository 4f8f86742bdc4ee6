#pragma once
// Products of a warp on the tensor cores.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {

/// Two neighbouring 16-bit values; the first is in the low half.
using Pair16 = std::uint32_t;

template <typename E>
__device__ inline Pair16 pair_of(E low, E high) {
  return low.bits | static_cast<Pair16>(high.bits) << 16;
}

/// The compute capability that has multiply_tile.
inline constexpr int kTensorCoreCapability = 80;

/// sum += a·b with a [16, 16], b [16, 8] of E (fp16 or bf16), sums in fp32; all lanes of a warp
/// must take part. With g = lane / 4 and q = lane % 4, a lane holds (PTX ISA, mma.m16n8k16)
///  - a[0..3]: columns 2q, 2q + 1 of rows g and g + 8, then columns 2q + 8, 2q + 9 of both;
///  - b[0..1]: rows 2q, 2q + 1 and rows 2q + 8, 2q + 9 of column g;
///  - sum[0..3]: columns 2q, 2q + 1 of row g, then of row g + 8.
template <typename E>
__device__ inline void multiply_tile(float (&sum)[4], const Pair16 (&a)[4], const Pair16 (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<E, bfloat16>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
#elif defined(MANTISSA_CUDA_ON_HOST)
  // On the host: the same operands of the same lanes.
  struct RowPairs {
    Pair16 of[4];
  };
  struct ColumnPairs {
    Pair16 of[2];
  };
  const auto half = [](Pair16 pair, int which) {
    E value;
    value.bits = static_cast<std::uint16_t>(pair >> (16 * which));
    return static_cast<float>(value);
  };
  const int lane = static_cast<int>(threadIdx.x) % kWarp, group = lane / 4, quad = lane % 4;
  for (int q = 0; q < 4; ++q) {
    const RowPairs row =
        __shfl_sync(0xffffffffu, RowPairs{{a[0], a[1], a[2], a[3]}}, 4 * group + q);
    for (int c = 0; c < 2; ++c) {
      const ColumnPairs column =
          __shfl_sync(0xffffffffu, ColumnPairs{{b[0], b[1]}}, 4 * (2 * quad + c) + q);
      for (int i = 0; i < 4; ++i) {
        const float x = half(row.of[i], 0) * half(column.of[i / 2], 0);
        sum[2 * (i % 2) + c] += x + half(row.of[i], 1) * half(column.of[i / 2], 1);
      }
    }
  }
#endif
}

/// Four neighbouring codes of 8 bits; the first is in the low byte.
using Quad8 = std::uint32_t;

/// The compute capability that has multiply_codes_tile for codes of E.
template <typename E>
inline constexpr int kCodesCapability = std::is_same_v<E, std::int8_t> ? 75 : 89;
template <typename E>
using CodeSum = std::conditional_t<std::is_same_v<E, std::int8_t>, std::int32_t, float>;

#if defined(MANTISSA_CUDA_ON_HOST)
template <typename A, typename B>
CodeSum<A> dot_codes(Quad8 a, Quad8 b) {
  const auto value = []<typename E>(Quad8 word, int i, E code) {
    const auto byte = static_cast<std::uint8_t>(word >> (8 * i));
    std::memcpy(&code, &byte, 1);
    return static_cast<CodeSum<A>>(code);
  };
  CodeSum<A> sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += value(a, i, A{}) * value(b, i, B{});
  }
  return sum;
}
#endif

/// sum += a·b with a [16, 32] of A and b [32, 8] of B, codes: int8 both, or FP8; all lanes of a
/// warp must take part. With g = lane / 4 and q = lane % 4, a lane holds (PTX ISA, mma.m16n8k32)
///  - a[0..3]: columns 4q … 4q + 3 of rows g and g + 8, then columns 4q + 16 … of both;
///  - low, high: rows 4q … 4q + 3 and rows 4q + 16 … of column g;
///  - sum[0..3]: columns 2q, 2q + 1 of row g, then of row g + 8.
/// Sums of FP8 lose bits inside the tensor cores of Ada and Hopper: add few of them up there.
template <typename A, typename B>
__device__ inline void multiply_codes_tile(CodeSum<A> (&sum)[4], const Quad8 (&a)[4], Quad8 low,
                                           Quad8 high) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<A, std::int8_t>) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(low), "r"(high));
#else
    // Turing has quarters of it, which hold the same words.
    const auto quarter = [](std::int32_t& s0, std::int32_t& s1, Quad8 rows, Quad8 column) {
      asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+r"(s0), "+r"(s1)
                   : "r"(rows), "r"(column));
    };
    quarter(sum[0], sum[1], a[0], low);
    quarter(sum[2], sum[3], a[1], low);
    quarter(sum[0], sum[1], a[2], high);
    quarter(sum[2], sum[3], a[3], high);
#endif
  }
#if __CUDA_ARCH__ >= 890
#define MANTISSA_MULTIPLY_FP8(a_type, b_type)                                         \
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." a_type "." b_type             \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])               \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(low), "r"(high))
  if constexpr (std::is_same_v<A, float8_e4m3> && std::is_same_v<B, float8_e4m3>) {
    MANTISSA_MULTIPLY_FP8("e4m3", "e4m3");
  } else if constexpr (std::is_same_v<A, float8_e5m2> && std::is_same_v<B, float8_e4m3>) {
    MANTISSA_MULTIPLY_FP8("e5m2", "e4m3");
  } else if constexpr (std::is_same_v<A, float8_e4m3> && std::is_same_v<B, float8_e5m2>) {
    MANTISSA_MULTIPLY_FP8("e4m3", "e5m2");
  }
#undef MANTISSA_MULTIPLY_FP8
#endif
#elif defined(MANTISSA_CUDA_ON_HOST)
  struct RowWords {
    Quad8 of[4];
  };
  struct ColumnWords {
    Quad8 of[2];
  };
  const int lane = static_cast<int>(threadIdx.x) % kWarp, group = lane / 4, quad = lane % 4;
  for (int q = 0; q < 4; ++q) {
    const RowWords row =
        __shfl_sync(0xffffffffu, RowWords{{a[0], a[1], a[2], a[3]}}, 4 * group + q);
    for (int c = 0; c < 2; ++c) {
      const ColumnWords column =
          __shfl_sync(0xffffffffu, ColumnWords{{low, high}}, 4 * (2 * quad + c) + q);
      for (int i = 0; i < 4; ++i) {
        sum[2 * (i % 2) + c] += dot_codes<A, B>(row.of[i], column.of[i / 2]);
      }
    }
  }
#endif
}

/// Four matrices of 8 rows of 16 bytes in shared memory, lane l giving the address of row l % 8 of
/// matrix l / 8: of each, a lane gets bytes 4q … 4q + 3 of row g (PTX ISA, ldmatrix).
__device__ inline void load_matrices(Quad8 (&to)[4], const void* row) {
#if defined(__CUDA_ARCH__)
  const auto from = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
#elif defined(MANTISSA_CUDA_ON_HOST)
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int matrix = 0; matrix < 4; ++matrix) {
    const auto* from =
        static_cast<const Quad8*>(__shfl_sync(0xffffffffu, row, 8 * matrix + lane / 4));
    to[matrix] = from[lane % 4];
  }
#endif
}

}  // namespace mantissa::cuda
