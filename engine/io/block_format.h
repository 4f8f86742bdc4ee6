#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mantissa {

/// A format that packs the values of a row in blocks, each with its own scales: those of GGUF
/// files. Decoding gives the float32 values of the gguf package, bit for bit.
struct BlockFormat {
  std::string_view name;   ///< "Q4_K"
  std::uint32_t ggml = 0;  ///< its number in GGUF files
  int values = 0;          ///< in a block
  int bytes = 0;           ///< of a block
  void (*decode)(const std::byte* block, float* values) = nullptr;

  /// Of a row of `count` values, a multiple of `values`.
  std::int64_t row_bytes(std::int64_t count) const { return count / values * bytes; }
};

/// By its number in GGUF files; null for other types.
const BlockFormat* block_format(std::uint32_t ggml);

/// Decodes `count` values, a multiple of the format's.
void decode_blocks(const BlockFormat& format, const std::byte* blocks, std::int64_t count,
                   float* values);

}  // namespace mantissa
