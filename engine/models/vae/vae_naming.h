#pragma once
// What each kind of autoencoder is called in the files of families that hold all parts.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// How an autoencoder's tensors are named in its folder and, behind a prefix, in single files. The
/// original names depend on one number, `size`: 0 where there are none.
struct VaeNaming {
  /// Size that the files of a model have, whose single file may have any of these prefixes.
  int (*size_in)(const ModelFiles& files, std::span<const std::string_view> prefixes);
  int (*size_from_diffusers)(std::span<const std::string> names);
  std::optional<NameMapping> (*in_folder)(const TensorInfo& tensor, int size);
  /// `name` is the tensor's, without prefix.
  std::optional<NameMapping> (*in_single_file)(const TensorInfo& tensor, std::string_view name,
                                               int size);
  /// The tensor of a single file that holds this weight, without prefix.
  std::optional<OriginalTensor> (*to_single_file)(const std::string& name, int size);
};

/// AutoencoderKL: `size` is the number of its levels.
extern const VaeNaming kKlVaeNaming;
/// AutoencoderKLFlux2: the same, with statistics.
extern const VaeNaming kFlux2VaeNaming;
/// The autoencoder of Qwen-Image: `size` is qwen_vae_level_size.
extern const VaeNaming kQwenVaeNaming;
/// The autoencoder of Qwen-Image-2.1: `size` is qwen_image21_vae_blocks.
extern const VaeNaming kQwenImage21VaeNaming;

}  // namespace mantissa
