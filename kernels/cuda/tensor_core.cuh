#pragma once
// One product of a warp on the tensor cores.

#include <cstdint>

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

}  // namespace mantissa::cuda
