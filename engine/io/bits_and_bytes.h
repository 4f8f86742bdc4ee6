#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/io/block_scales.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// A safetensors file with weights that bitsandbytes quantised to NF4, as diffusers and
/// transformers save them. Codes are U8 [bytes, 1] under the weight's name; beside them are
///
///     <weight>.quant_state.bitsandbytes__nf4   U8: JSON with block size and shape
///     <weight>.quant_map                       F32 [16]: the numbers that codes name
///     <weight>.absmax                          F32 [blocks]: scales; or U8, numbers in a map, and
///     <weight>.nested_quant_map                F32 [256]: the map
///     <weight>.nested_absmax                   F32: scales of groups of 256 blocks
///
/// Here each such weight is one tensor of its own shape (TensorInfo::block_scales). Copies share
/// the mapping.
class BitsAndBytesFile {
 public:
  /// Whether a file holds such weights.
  static bool has_weights(const SafetensorsFile& file);
  /// Throws Error naming file and tensor for another format, and for parts that are missing or
  /// don't fit.
  explicit BitsAndBytesFile(SafetensorsFile file);

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

}  // namespace mantissa
