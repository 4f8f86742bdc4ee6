#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/safetensors.h"

namespace mantissa {

/// What belongs to the quantised weights of a file rather than to the model: the scales of FP8
/// codes, as ComfyUI, musubi-tuner and their converters store them beside `<module>.weight`:
///
///     <module>.scale_weight, .weight_scale    weight = code · scale: one number, or one per row
///     <module>.scale_input, .input_scale      of activations; their scales are computed here
///     <module>.comfy_quant                    U8: JSON with the format's name
///     [<prefix>.]scaled_fp8                   marks such a file
///
/// and `_quantization_metadata` in the header, which names the format of each module.
class StoredScales {
 public:
  StoredScales() = default;
  /// Of the tensors of one file. Throws Error naming file and tensor for another quantisation
  /// (INT8, 4 bits, a rotation, blocks), and for scales of a wrong type, shape or value.
  StoredScales(std::span<const TensorInfo> tensors,
               const std::map<std::string, std::string>& metadata, const std::string& label);

  /// Whether the tensor is no weight.
  bool contains(std::string_view tensor) const { return tensors_.contains(tensor); }
  /// Of a weight's tensor: one number, or one for each of its rows. Empty: its codes are its
  /// values.
  std::span<const float> of(std::string_view weight) const;

 private:
  std::set<std::string, std::less<>> tensors_;
  std::map<std::string, std::vector<float>, std::less<>> scales_;
};

}  // namespace mantissa
