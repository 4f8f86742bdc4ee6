#pragma once
// Load and store of optimizer state, for every rule.
//
// A rule works on pieces of at most kMomentBlock elements in fp32: in place if storage is fp32,
// else in a copy that is rounded when stored, so a rule is written once for all dtypes.

#include <bit>

#include "kernels/check_optim.h"
#include "kernels/cpu/backend.h"
#include "kernels/dynamic_map.h"
#include "kernels/rounding.h"

namespace mantissa::MANTISSA_ISA {

inline constexpr int kTile = static_cast<int>(kMomentBlock);

/// Copies this step's values from the cell into the options; false if nothing is updated.
template <typename Options>
bool take_cell(Options& o) {
  const auto* cell = o.cell.template as<const GroupCell>();
  if (cell == nullptr) {
    return true;
  }
  o.grad_scale = cell->grad_scale;
  o.key.step = static_cast<std::uint32_t>(cell->update);
  if constexpr (requires { o.learning_rate; }) {
    o.learning_rate = cell->learning_rate;
  }
  if constexpr (requires { o.correction1; }) {
    o.correction1 = cell->correction1;
    o.correction2 = cell->correction2;
    o.averaging = cell->averaging;
  } else if constexpr (requires { o.beta2; }) {
    o.beta2 = cell->averaging;
  }
  return cell->steps != 0;
}

/// Adds up partial[0..n) by halves: the same tree for the same n.
inline double tree_sum(double* partial, std::int64_t n) {
  for (; n > 1; n = ceil_div(n, 2)) {
    for (std::int64_t i = 0; i < n / 2; ++i) {
      partial[i] = partial[2 * i] + partial[2 * i + 1];
    }
    if (n % 2 != 0) {
      partial[n / 2] = partial[n - 1];
    }
  }
  return n == 1 ? partial[0] : 0.0;
}

/// Σ value(i) in fp64, in sixteen parallel sums.
template <typename F>
MANTISSA_INLINE double lane_sum(std::int64_t n, F&& value) {
  constexpr int kLanes = 16;
  double sums[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) {
      sums[j] += value(i + j);
    }
  }
  for (int j = 0; i + j < n; ++j) {
    sums[j] += value(i + j);
  }
  return tree_sum(sums, kLanes);
}

/// Σ x² in fp64.
template <typename S>
double square_sum(const S* x, std::int64_t n) {
  return lane_sum(n, [x](std::int64_t i) {
    const auto v = static_cast<double>(static_cast<accumulator_t<S>>(x[i]));
    return v * v;
  });
}

/// The random bits of up to kTile neighbouring elements, all blocks at once.
class RandomTile {
 public:
  /// bits[i] belongs to element `first` + i; valid until the next call.
  const std::uint16_t* fill(const RandomKey& key, std::int64_t first, int n) {
    static_assert(std::endian::native == std::endian::little);
    const auto skipped = static_cast<int>(first % 8);
    const int blocks = (skipped + n + 7) / 8;
    const auto block0 = static_cast<std::uint32_t>(first / 8);
    for (int b = 0; b < blocks; ++b) {
      std::uint32_t c0 = block0 + static_cast<std::uint32_t>(b);
      std::uint32_t c1 = key.sample, c2 = key.step, c3 = key.stream;
      auto k0 = static_cast<std::uint32_t>(key.seed);
      auto k1 = static_cast<std::uint32_t>(key.seed >> 32);
      MANTISSA_UNROLL
      for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
        c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(p1);
        c3 = static_cast<std::uint32_t>(p0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
      }
      words_[4 * b] = c0;
      words_[4 * b + 1] = c1;
      words_[4 * b + 2] = c2;
      words_[4 * b + 3] = c3;
    }
    std::memcpy(bits_, words_, static_cast<std::size_t>(blocks) * 16);
    return bits_ + skipped;
  }

 private:
  static constexpr int kBlocks = kTile / 8 + 1;
  alignas(64) std::uint32_t words_[4 * kBlocks];
  alignas(64) std::uint16_t bits_[8 * kBlocks];
};

/// out[i] = To(in[i]), by way of fp32.
template <typename From, typename To>
MANTISSA_INLINE void convert_tile(const From* in, int n, To* out) {
  constexpr int kLanes = Vec<float>::kLanes;
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(out + i, load(in + i));
  }
  if (i < n) {
    store_n(out + i, load_n(in + i, n - i), n - i);
  }
}
inline void narrow_stochastic(const float* in, int n, const std::uint16_t* random, bfloat16* out) {
  for (int i = 0; i < n; ++i) {
    out[i] = round_stochastic(in[i], random[i]);
  }
}

/// The n elements from `begin` as fp32: in place, or widened into `buffer`.
inline float* load_tile(const View& v, std::int64_t begin, int n, float* buffer) {
  switch (v.dtype) {
    case DType::bf16:
      convert_tile(v.as<bfloat16>() + begin, n, buffer);
      return buffer;
    case DType::f16:
      convert_tile(v.as<float16>() + begin, n, buffer);
      return buffer;
    default:
      return v.as<float>() + begin;
  }
}

inline const DynamicQuantizer& moment_map(bool with_sign) {
  return with_sign ? kSignedMap : kUnsignedMap;
}

/// A piece of a moment as fp32. 8-bit pieces are whole blocks: `begin` is a multiple of
/// kMomentBlock.
inline float* load_moment(const MomentView& m, bool with_sign, std::int64_t begin, int n,
                          float* buffer) {
  if (m.values.dtype != DType::u8) {
    return load_tile(m.values, begin, n, buffer);
  }
  const float absmax = m.absmax.as<float>()[begin / kMomentBlock];
  const float* map = moment_map(with_sign).values().data();
  const std::uint8_t* codes = m.values.as<std::uint8_t>() + begin;
  for (int i = 0; i < n; ++i) {
    buffer[i] = map[codes[i]] * absmax;
  }
  return buffer;
}

/// Stores x, as returned by load_moment for the same piece: a no-op for fp32.
inline void store_moment(const MomentView& m, bool with_sign, std::int64_t begin, int n,
                         const float* x, RandomKey key, RoundedBuffer buffer, std::int64_t first,
                         RandomTile& random) {
  if (m.values.dtype == DType::bf16) {
    key.sample += static_cast<std::uint32_t>(buffer);
    narrow_stochastic(x, n, random.fill(key, first + begin, n), m.values.as<bfloat16>() + begin);
    return;
  }
  if (m.values.dtype != DType::u8) {
    return;
  }
  const DynamicQuantizer& map = moment_map(with_sign);
  std::uint8_t* codes = m.values.as<std::uint8_t>() + begin;
  // Magnitudes compare like their bit patterns, with NaN and infinity above all.
  std::uint32_t top = 0;
  for (int i = 0; i < n; ++i) {
    top = std::max(top, std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu);
  }
  const bool finite = top < 0x7f800000u;
  const float absmax = finite ? std::bit_cast<float>(top) : std::numeric_limits<float>::quiet_NaN();
  m.absmax.as<float>()[begin / kMomentBlock] = absmax;
  if (top == 0 || !finite) {
    std::fill(codes, codes + n, map.code(finite ? 0.0F : 1.0F));
    return;
  }
  alignas(64) float share[kTile];
  alignas(64) std::int32_t bucket[kTile];
  for (int i = 0; i < n; ++i) {
    share[i] = x[i] / absmax;
    bucket[i] = DynamicQuantizer::bucket(share[i]);
  }
  for (int i = 0; i < n; ++i) {
    codes[i] = map.code_in(bucket[i], share[i]);
  }
  if (!with_sign) {
    // A second moment rounded to 0 would turn the next small gradient into a huge step.
    for (int i = 0; i < n; ++i) {
      codes[i] = std::max<std::uint8_t>(codes[i], x[i] > 0.0F ? 1 : 0);
    }
  }
}

/// bf16 parameters: p <- round(p + delta). `p` holds them widened. Kahan's sum keeps what the
/// rounding cut off: y=Δ+c; p'=bf16(p+y); c'=bf16(y-(p'-p)).
inline void store_parameter(const View& parameter, const View& compensation, Rounding rounding,
                            std::int64_t begin, int n, const float* p, float* delta,
                            const RandomKey& key, std::int64_t first, RandomTile& random) {
  bfloat16* out = parameter.as<bfloat16>() + begin;
  if (rounding == Rounding::kahan) {
    bfloat16* lost = compensation.as<bfloat16>() + begin;
    for (int i = 0; i < n; ++i) {
      const float y = delta[i] + static_cast<float>(lost[i]);
      out[i] = bfloat16(p[i] + y);
      lost[i] = bfloat16(y - (static_cast<float>(out[i]) - p[i]));
    }
    return;
  }
  for (int i = 0; i < n; ++i) {
    delta[i] = p[i] + delta[i];
  }
  if (rounding == Rounding::stochastic) {
    narrow_stochastic(delta, n, random.fill(key, first + begin, n), out);
  } else {
    convert_tile(delta, n, out);
  }
}

/// One thread's buffers for the pieces of one tensor.
struct TileBuffers {
  alignas(64) float p[kTile], g[kTile], m[kTile], v[kTile], s[kTile], start[kTile], delta[kTile],
      update[kTile];
  RandomTile random;
};

// -- loops ---------------------------------------------------------------------------------------

/// A range of one tensor's elements, processed by one thread.
struct UpdateChunk {
  std::size_t tensor;
  std::int64_t begin, end;
};

/// Splits every tensor into ranges of kElementGrain, whole blocks of 8-bit moments.
template <typename Update>
std::vector<UpdateChunk> update_chunks(std::span<const Update> tensors) {
  static_assert(kElementGrain % kMomentBlock == 0);
  std::vector<UpdateChunk> chunks;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const std::int64_t n = tensors[t].parameter.count();
    for (std::int64_t begin = 0; begin < n; begin += kElementGrain) {
      chunks.push_back({t, begin, std::min(n, begin + kElementGrain)});
    }
  }
  return chunks;
}

}  // namespace mantissa::MANTISSA_ISA
