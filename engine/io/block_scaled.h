#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/io/block_scales.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// A safetensors file with weights in MXFP8 or NVFP4 as ComfyUI saves them:
///
///     <module>.weight          mxfp8: F8_E4M3 [rows, columns]; nvfp4: U8 [rows, columns / 2]
///     <module>.weight_scale    a byte for each block, E8M0 or E4M3, in the tiles of `tiled_place`
///     <module>.weight_scale_2  nvfp4: F32, the tensor's factor
///     <module>.input_scale     of activations; not needed
///     <module>.comfy_quant     U8: JSON, {"format": "mxfp8"}; or the header names the format
///
/// Here each such weight is one tensor of its own shape (TensorInfo::block_scales); all other
/// tensors stay as they are. Copies share the mapping.
class BlockScaledFile {
 public:
  /// Whether a file holds such weights.
  static bool has_weights(const SafetensorsFile& file);
  /// Throws Error naming file and tensor for parts that are missing or don't fit.
  explicit BlockScaledFile(SafetensorsFile file);

  /// In the order of their names.
  std::span<const TensorInfo> tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return file_.metadata(); }
  const std::string& label() const { return file_.label(); }
  std::filesystem::path path() const { return file_.path(); }

 private:
  SafetensorsFile file_;
  std::vector<TensorInfo> tensors_;
  std::shared_ptr<std::deque<BlockScales>> scales_;  ///< tensors point to them
};

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
