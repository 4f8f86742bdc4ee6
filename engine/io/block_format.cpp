// Layouts as in ggml (MIT): ggml-common.h has the structs, gguf-py's quants.py the arithmetic.
#include "engine/io/block_format.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "kernels/dtype.h"

namespace mantissa {
namespace {

constexpr int kSmall = 32, kSuper = 256;

float half_at(const std::byte* p) {
  float16 h;
  std::memcpy(&h, p, sizeof h);
  return static_cast<float>(h);
}

int byte_at(const std::byte* p, int i) {
  return std::to_integer<int>(p[i]);
}

int low(int byte) {
  return byte & 15;
}
int high(int byte) {
  return byte >> 4;
}
int signed_at(const std::byte* p, int i) {
  return static_cast<std::int8_t>(std::to_integer<std::uint8_t>(p[i]));
}

void decode_q8_0(const std::byte* b, float* y) {
  const float d = half_at(b);
  for (int i = 0; i < kSmall; ++i) {
    y[i] = d * static_cast<float>(signed_at(b + 2, i));
  }
}

/// 4 bits, and a fifth each in `tops` where there are five; value = d · (code - zero) + m.
void decode_small(const std::byte* codes, std::uint32_t tops, float d, int zero, float m,
                  float* y) {
  const auto value = [&](int code, int i) {
    const int whole = code | static_cast<int>((tops >> i) & 1U) << 4;
    const float scaled = d * static_cast<float>(whole - zero);
    return zero != 0 ? scaled : scaled + m;  // -0 + 0 would be another zero
  };
  for (int i = 0; i < kSmall / 2; ++i) {
    const int byte = byte_at(codes, i);
    y[i] = value(low(byte), i);
    y[i + kSmall / 2] = value(high(byte), i + kSmall / 2);
  }
}

std::uint32_t bits_at(const std::byte* p) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, p, sizeof bits);
  return bits;
}

void decode_q4_0(const std::byte* b, float* y) {
  decode_small(b + 2, 0, half_at(b), 8, 0, y);
}
void decode_q4_1(const std::byte* b, float* y) {
  decode_small(b + 4, 0, half_at(b), 0, half_at(b + 2), y);
}
void decode_q5_0(const std::byte* b, float* y) {
  decode_small(b + 6, bits_at(b + 2), half_at(b), 16, 0, y);
}
void decode_q5_1(const std::byte* b, float* y) {
  decode_small(b + 8, bits_at(b + 4), half_at(b), 0, half_at(b + 2), y);
}

void decode_q2_k(const std::byte* b, float* y) {
  const std::byte* codes = b + 16;
  const float d = half_at(b + 80), dmin = half_at(b + 82);
  for (int i = 0; i < kSuper; ++i) {
    const int group = i / 16, half = i / 128, in_half = i % 128;
    const int scale = byte_at(b, group);
    const int code = byte_at(codes, half * 32 + in_half % 32) >> (in_half / 32 * 2) & 3;
    y[i] = d * static_cast<float>(low(scale)) * static_cast<float>(code) -
           dmin * static_cast<float>(high(scale));
  }
}

void decode_q3_k(const std::byte* b, float* y) {
  const std::byte *tops = b, *codes = b + 32, *packed = b + 96;
  const float d = half_at(b + 108);
  for (int i = 0; i < kSuper; ++i) {
    const int group = i / 16, half = i / 128, in_half = i % 128;
    // Of 16 scales of six bits: four bits in eight bytes, then two in four.
    const int four = group < 8 ? low(byte_at(packed, group)) : high(byte_at(packed, group - 8));
    const int two = byte_at(packed, 8 + group % 4) >> (group / 4 * 2) & 3;
    const int code = byte_at(codes, half * 32 + in_half % 32) >> (in_half / 32 * 2) & 3;
    const int top = byte_at(tops, i % 32) >> (i / 32) & 1;
    y[i] = d * static_cast<float>((four | two << 4) - 32) *
           static_cast<float>(code - (top == 0 ? 4 : 0));
  }
}

/// Scale and minimum `j` of eight, six bits each in twelve bytes.
struct ScaleAndMin {
  int scale, min;
};
ScaleAndMin scale_of_k(const std::byte* packed, int j) {
  if (j < 4) {
    return {byte_at(packed, j) & 63, byte_at(packed, j + 4) & 63};
  }
  return {low(byte_at(packed, j + 4)) | byte_at(packed, j - 4) >> 6 << 4,
          high(byte_at(packed, j + 4)) | byte_at(packed, j) >> 6 << 4};
}

/// Q4_K, or with the fifth bits in `tops` Q5_K.
void decode_q45_k(const std::byte* b, const std::byte* tops, const std::byte* codes, float* y) {
  const float d = half_at(b), dmin = half_at(b + 2);
  for (int j = 0; j < 8; ++j) {
    const auto [scale, min] = scale_of_k(b + 4, j);
    const float step = d * static_cast<float>(scale), below = dmin * static_cast<float>(min);
    for (int l = 0; l < 32; ++l) {
      const int byte = byte_at(codes, j / 2 * 32 + l);
      int code = j % 2 == 0 ? low(byte) : high(byte);
      if (tops != nullptr) {
        code |= (byte_at(tops, l) >> j & 1) << 4;
      }
      y[j * 32 + l] = step * static_cast<float>(code) - below;
    }
  }
}
void decode_q4_k(const std::byte* b, float* y) {
  decode_q45_k(b, nullptr, b + 16, y);
}
void decode_q5_k(const std::byte* b, float* y) {
  decode_q45_k(b, b + 16, b + 48, y);
}

void decode_q6_k(const std::byte* b, float* y) {
  const std::byte *lows = b, *tops = b + 128, *scales = b + 192;
  const float d = half_at(b + 208);
  for (int i = 0; i < kSuper; ++i) {
    const int half = i / 128, quarter = i % 128 / 32, l = i % 32;
    const int byte = byte_at(lows, half * 64 + quarter % 2 * 32 + l);
    const int top = byte_at(tops, half * 32 + l) >> (quarter * 2) & 3;
    const int code = (quarter < 2 ? low(byte) : high(byte)) | top << 4;
    y[i] = d * static_cast<float>(signed_at(scales, i / 16)) * static_cast<float>(code - 32);
  }
}

constexpr std::array kFormats{
    BlockFormat{"Q4_0", 2, kSmall, 18, decode_q4_0},
    BlockFormat{"Q4_1", 3, kSmall, 20, decode_q4_1},
    BlockFormat{"Q5_0", 6, kSmall, 22, decode_q5_0},
    BlockFormat{"Q5_1", 7, kSmall, 24, decode_q5_1},
    BlockFormat{"Q8_0", 8, kSmall, 34, decode_q8_0},
    BlockFormat{"Q2_K", 10, kSuper, 84, decode_q2_k},
    BlockFormat{"Q3_K", 11, kSuper, 110, decode_q3_k},
    BlockFormat{"Q4_K", 12, kSuper, 144, decode_q4_k},
    BlockFormat{"Q5_K", 13, kSuper, 176, decode_q5_k},
    BlockFormat{"Q6_K", 14, kSuper, 210, decode_q6_k},
};

}  // namespace

const BlockFormat* block_format(std::uint32_t ggml) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const BlockFormat& f) { return f.ggml == ggml; });
  return found == kFormats.end() ? nullptr : &*found;
}

void decode_blocks(const BlockFormat& format, const std::byte* blocks, std::int64_t count,
                   float* values) {
  for (std::int64_t i = 0; i < count; i += format.values) {
    format.decode(blocks, values + i);
    blocks += format.bytes;
  }
}

}  // namespace mantissa
