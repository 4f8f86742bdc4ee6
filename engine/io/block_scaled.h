#pragma once

#include "engine/io/block_file.h"

namespace mantissa {

// Weights in MXFP8 or NVFP4 as ComfyUI saves them:
//
//     <module>.weight          mxfp8: F8_E4M3 [rows, columns]; nvfp4: U8 [rows, columns / 2]
//     <module>.weight_scale    a byte for each block, E8M0 or E4M3, in the tiles of `tiled_place`
//     <module>.weight_scale_2  nvfp4: F32, the tensor's factor
//     <module>.input_scale     of activations; not needed
//     <module>.comfy_quant     U8: JSON, {"format": "mxfp8"}; or the header names the format

/// Whether a file holds such weights.
bool has_block_scaled(const SafetensorsFile& file);
/// Throws Error naming file and tensor for parts that are missing or don't fit.
BlockFile read_block_scaled(SafetensorsFile file);

/// Where the scale of a block lies among `tiled_bytes(rows, blocks)`: tiles of 128 rows x 4 blocks,
/// one after another along the rows; in a tile 32 rows of 16, four blocks each of rows r, r + 32,
/// r + 64 and r + 96 (cuBLAS: "1D block scaling factors layout").
constexpr std::size_t tiled_place(std::int64_t row, std::int64_t block, std::int64_t blocks) {
  const std::int64_t tile = row / 128 * ((blocks + 3) / 4) + block / 4;
  return static_cast<std::size_t>(tile * 512 + row % 32 * 16 + row % 128 / 32 * 4 + block % 4);
}
constexpr std::size_t tiled_bytes(std::int64_t rows, std::int64_t blocks) {
  return static_cast<std::size_t>((rows + 127) / 128 * ((blocks + 3) / 4) * 512);
}

}  // namespace mantissa
