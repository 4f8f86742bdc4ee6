#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/safetensors.h"

namespace mantissa {

/// What belongs to the quantised weights of a file rather than to the model: the scales of FP8 and
/// INT8 codes, as ComfyUI, musubi-tuner and their converters store them beside `<module>.weight`:
///
///     <module>.scale_weight, .weight_scale    weight = code · scale: one number, or one per row
///     <module>.scale_input, .input_scale      of activations; their scales are computed here
///     <module>.comfy_quant                    U8: JSON with the format's name
///     [<prefix>.]scaled_fp8                   marks such a file
///
/// and `_quantization_metadata` in the header, which names the format of each module. INT8 codes
/// need one of these: it tells whether they are of rotated values ("convrot", rotation.h).
class StoredScales {
 public:
  StoredScales() = default;
  /// Finds the scales among the tensors of one file. Throws Error naming file and tensor for
  /// another quantisation (4 bits, blocks, rotated FP8), and for scales of a wrong type, shape or
  /// value.
  StoredScales(std::span<const TensorInfo> tensors,
               const std::map<std::string, std::string>& metadata, const std::string& label);

  /// Whether the tensor is no weight.
  bool contains(std::string_view tensor) const { return tensors_.contains(tensor); }
  /// Scales of a weight's tensor: one number, or one for each of its rows. Empty: its codes are its
  /// values.
  std::span<const float> of(std::string_view weight) const;
  /// The group size of a weight's rotation; 0 without one.
  int rotation(std::string_view weight) const;

 private:
  /// How a module's weight is stored.
  struct Format {
    bool int8 = false;  ///< else FP8
    int rotation = 0;
  };
  static Format format_of(const nlohmann::json& config, std::string_view module,
                          const std::string& label);
  void read_formats(std::span<const TensorInfo> tensors,
                    const std::map<std::string, std::string>& metadata, const std::string& label);
  void add_scales(const TensorInfo& scale, const TensorInfo& weight, std::string_view module,
                  const std::string& label);

  std::set<std::string, std::less<>> tensors_;
  std::map<std::string, Format, std::less<>> formats_;  ///< of modules that a text describes
  std::map<std::string, std::vector<float>, std::less<>> scales_;
  std::map<std::string, int, std::less<>> rotations_;
};

}  // namespace mantissa
