#pragma once
// Load and store of optimizer state, for every rule.
//
// A warp processes kMomentBlock neighbours of one tensor as fp32, eight per lane, so that a block
// of an 8-bit moment belongs to one warp. A thread block processes kChunk elements of one tensor;
// kernels find their tensor in a table in device memory.

#include <algorithm>

#include "kernels/cuda/context.h"
#include "kernels/cuda/device.cuh"
#include "kernels/dynamic_map.h"
#include "kernels/rounding.h"
#include "kernels/update.h"

namespace mantissa::cuda {

inline constexpr int kPerLane = static_cast<int>(kMomentBlock) / kWarp;
inline constexpr std::int64_t kChunk = kWarps * kMomentBlock;

/// A float whose operations are each rounded: no compiler contracts them into an fma.
struct Exact {
  float value;
  Exact() = default;
  MANTISSA_HD explicit Exact(float v) : value(v) {}
};
#if defined(__CUDA_ARCH__)
__device__ inline Exact operator+(Exact a, Exact b) {
  return Exact(__fadd_rn(a.value, b.value));
}
__device__ inline Exact operator-(Exact a, Exact b) {
  return Exact(__fsub_rn(a.value, b.value));
}
__device__ inline Exact operator*(Exact a, Exact b) {
  return Exact(__fmul_rn(a.value, b.value));
}
#else
inline Exact operator+(Exact a, Exact b) {
  return Exact(a.value + b.value);
}
inline Exact operator-(Exact a, Exact b) {
  return Exact(a.value - b.value);
}
inline Exact operator*(Exact a, Exact b) {
  return Exact(a.value * b.value);
}
#endif
MANTISSA_HD inline Exact operator/(Exact a, Exact b) {
  return Exact(a.value / b.value);
}
MANTISSA_HD inline Exact fma(Exact a, Exact b, Exact c) {
  return Exact(std::fma(a.value, b.value, c.value));
}
MANTISSA_HD inline Exact vsqrt(Exact a) {
  return Exact(std::sqrt(a.value));
}
MANTISSA_HD inline Exact select_negative(Exact x, Exact a, Exact b) {
  return x.value < 0.0F ? a : b;
}

/// The neighbours one warp processes: element j of a lane is begin + at(j), present if has(j).
struct Piece {
  std::int64_t begin;
  int n;  ///< of the warp; none if n <= 0
  int lane;
  __device__ int at(int j) const { return lane + kWarp * j; }
  __device__ bool has(int j) const { return at(j) < n; }
};

/// The piece of this warp in chunk `chunk` of a tensor of `count` elements.
__device__ inline Piece piece_of(std::int64_t chunk, std::int64_t count) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t begin = chunk * kChunk + warp * kMomentBlock;
  const std::int64_t left = count - begin;
  return {begin, static_cast<int>(left < kMomentBlock ? left : kMomentBlock),
          static_cast<int>(threadIdx.x) % kWarp};
}

/// A lane's elements of a piece; 0 if absent.
struct Values {
  Exact x[kPerLane];
  __device__ Exact& operator[](int j) { return x[j]; }
  __device__ Exact operator[](int j) const { return x[j]; }
};

/// fp32, bf16 or fp16 in device memory.
struct Buffer {
  void* data = nullptr;
  DType dtype = DType::f32;
};
inline Buffer buffer_of(const View& v) {
  return {v.data, v.dtype};
}

/// A MomentView in device memory.
struct Moment {
  Buffer values;
  float* absmax = nullptr;
};
inline Moment moment_of(const MomentView& m) {
  return {buffer_of(m.values), m.absmax.as<float>()};
}

__device__ inline float load_one(const Buffer& b, std::int64_t i) {
  switch (b.dtype) {
    case DType::bf16:
      return load(static_cast<const bfloat16*>(b.data) + i);
    case DType::f16:
      return load(static_cast<const float16*>(b.data) + i);
    default:
      return static_cast<const float*>(b.data)[i];
  }
}

template <typename T>
__device__ inline Values load_as(const void* data, const Piece& piece) {
  const T* from = static_cast<const T*>(data) + piece.begin;
  Values result;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    result[j] = Exact(piece.has(j) ? load(from + piece.at(j)) : 0.0F);
  }
  return result;
}
__device__ inline Values load_values(const Buffer& b, const Piece& piece) {
  switch (b.dtype) {
    case DType::bf16:
      return load_as<bfloat16>(b.data, piece);
    case DType::f16:
      return load_as<float16>(b.data, piece);
    default:
      return load_as<float>(b.data, piece);
  }
}

template <typename T>
__device__ inline void store_as(void* data, const Piece& piece, const Values& values) {
  T* to = static_cast<T*>(data) + piece.begin;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    if (piece.has(j)) {
      store(to + piece.at(j), values[j].value);
    }
  }
}

// -- random bits ---------------------------------------------------------------------------------

/// The bits one warp rounds a piece with, in memory the block shares.
struct alignas(16) RoundingBits {
  static constexpr int kBlocks = static_cast<int>(kMomentBlock) / 8 + 1;
  std::uint32_t words[4 * kBlocks];

  /// Fills in the bits of `piece`; `first` as in ParameterUpdate. All lanes must take part.
  __device__ void fill(RandomKey key, RoundedBuffer buffer, std::int64_t first,
                       const Piece& piece) {
    key.sample += static_cast<std::uint32_t>(buffer);
    const auto block0 = static_cast<std::uint32_t>((first + piece.begin) / 8);
    __syncwarp();  // the previous bits may still be read
    for (int b = piece.lane; b < kBlocks; b += kWarp) {
      const auto block = random_block(key, block0 + static_cast<std::uint32_t>(b));
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        words[4 * b + i] = block[static_cast<std::size_t>(i)];
      }
    }
    __syncwarp();
  }
  __device__ std::uint32_t of(std::int64_t first, const Piece& piece, int j) const {
    const int at = static_cast<int>((first + piece.begin) % 8) + piece.at(j);
    return (words[at / 2] >> (16 * (at % 2))) & 0xffffu;
  }
};

/// Rounds stochastically to bf16; `values` become what was stored.
__device__ inline void store_stochastic(void* data, const Piece& piece, Values& values,
                                        const RandomKey& key, RoundedBuffer buffer,
                                        std::int64_t first, RoundingBits& bits) {
  bits.fill(key, buffer, first, piece);
  bfloat16* to = static_cast<bfloat16*>(data) + piece.begin;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    if (piece.has(j)) {
      const bfloat16 rounded = round_stochastic(values[j].value, bits.of(first, piece, j));
      to[piece.at(j)] = rounded;
      values[j] = Exact(load(&rounded));
    }
  }
}

// -- moments -------------------------------------------------------------------------------------

static __device__ const DynamicQuantizer device_signed_map{true}, device_unsigned_map{false};

__device__ inline const DynamicQuantizer& moment_map(bool with_sign) {
  return with_sign ? device_signed_map : device_unsigned_map;
}

__device__ inline Values load_moment(const Moment& m, bool with_sign, const Piece& piece) {
  if (m.values.dtype != DType::u8) {
    return load_values(m.values, piece);
  }
  const DynamicQuantizer& map = moment_map(with_sign);
  const Exact absmax(piece.n > 0 ? m.absmax[piece.begin / kMomentBlock] : 0.0F);
  const std::uint8_t* codes = static_cast<const std::uint8_t*>(m.values.data) + piece.begin;
  Values result;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    result[j] = piece.has(j) ? Exact(map.value(codes[piece.at(j)])) * absmax : Exact(0.0F);
  }
  return result;
}
/// Element i of a signed moment.
__device__ inline float load_moment_one(const Moment& m, std::int64_t i) {
  if (m.values.dtype != DType::u8) {
    return load_one(m.values, i);
  }
  const std::uint8_t code = static_cast<const std::uint8_t*>(m.values.data)[i];
  return device_signed_map.value(code) * m.absmax[i / kMomentBlock];
}

/// Codes of the dynamic map with the piece's absmax; `values` become what was stored.
__device__ inline void store_codes(const Moment& m, bool with_sign, const Piece& piece,
                                   Values& values) {
  const DynamicQuantizer& map = moment_map(with_sign);
  // Magnitudes compare like their bit patterns, with NaN and infinity above all.
  std::uint32_t top = 0;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    const std::uint32_t size = __float_as_uint(values[j].value) & 0x7fffffffu;
    top = piece.has(j) && size > top ? size : top;
  }
  top = warp_reduce(top, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
  const bool finite = top < 0x7f800000u;
  const Exact absmax(__uint_as_float(finite ? top : 0x7fc00000u));
  std::uint8_t* codes = static_cast<std::uint8_t*>(m.values.data) + piece.begin;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    if (!piece.has(j)) {
      continue;
    }
    const float x = values[j].value;
    std::uint8_t code = 0;
    if (top == 0 || !finite) {
      code = map.code(finite ? 0.0F : 1.0F);
    } else {
      code = map.code((Exact(x) / absmax).value);
      // A second moment rounded to 0 would turn the next small gradient into a huge step.
      code = !with_sign && code == 0 && x > 0.0F ? 1 : code;
    }
    codes[piece.at(j)] = code;
    values[j] = Exact(map.value(code)) * absmax;
  }
  if (piece.lane == 0 && piece.n > 0) {
    m.absmax[piece.begin / kMomentBlock] = absmax.value;
  }
}

/// Stores `values`, which become what a load would return. All lanes must take part.
__device__ inline void store_moment(const Moment& m, bool with_sign, const Piece& piece,
                                    Values& values, const RandomKey& key, RoundedBuffer buffer,
                                    std::int64_t first, RoundingBits& bits) {
  switch (m.values.dtype) {
    case DType::bf16:
      return store_stochastic(m.values.data, piece, values, key, buffer, first, bits);
    case DType::u8:
      return store_codes(m, with_sign, piece, values);
    default:
      return store_as<float>(m.values.data, piece, values);
  }
}

// -- parameters ----------------------------------------------------------------------------------

/// p <- round(p + delta), fp32 or bf16. Kahan's sum keeps what the rounding cut off: y=Δ+c;
/// p'=bf16(p+y); c'=bf16(y-(p'-p)). All lanes must take part.
__device__ inline void store_parameter(const Buffer& parameter, bfloat16* compensation,
                                       Rounding rounding, const Piece& piece, const Values& p,
                                       const Values& delta, const RandomKey& key,
                                       std::int64_t first, RoundingBits& bits) {
  if (parameter.dtype == DType::bf16 && rounding == Rounding::kahan) {
    bfloat16* out = static_cast<bfloat16*>(parameter.data) + piece.begin;
    bfloat16* lost = compensation + piece.begin;
#pragma unroll
    for (int j = 0; j < kPerLane; ++j) {
      if (piece.has(j)) {
        const int at = piece.at(j);
        const Exact y = delta[j] + Exact(load(lost + at));
        const bfloat16 moved = rounded<bfloat16>((p[j] + y).value);
        out[at] = moved;
        store(lost + at, (y - (Exact(load(&moved)) - p[j])).value);
      }
    }
    return;
  }
  Values sum;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    sum[j] = p[j] + delta[j];
  }
  if (parameter.dtype == DType::f32) {
    store_as<float>(parameter.data, piece, sum);
  } else if (rounding == Rounding::stochastic) {
    store_stochastic(parameter.data, piece, sum, key, RoundedBuffer::parameter, first, bits);
  } else {
    store_as<bfloat16>(parameter.data, piece, sum);
  }
}

// -- tables --------------------------------------------------------------------------------------

/// Enqueues sums[i] = Σ partial[i·count .. (i+1)·count), in an order that depends on `count` alone.
void sum_partials(Context& context, const double* partial, std::int64_t count, int sums,
                  double* out);

/// The sum over the chunks of a row of a table, by a block; in thread 0.
template <typename Row>
__device__ double sum_of_chunks(const Row& row, const double* partial) {
  const std::int64_t chunks = ceil_div(row.count, kChunk);
  double sum = 0.0;
  for (std::int64_t i = threadIdx.x; i < chunks; i += blockDim.x) {
    sum += partial[row.first_chunk + i];
  }
  return block_sum(sum);
}

}  // namespace mantissa::cuda
