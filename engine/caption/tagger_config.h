#pragma once

#include <filesystem>
#include <string>

#include "engine/caption/square_image.h"
#include "engine/io/safetensors.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A tagger's network under timm's names: a vision transformer (arXiv 2010.11929), or EVA-02 (arXiv
/// 2303.11331), which has rotary positions and gated units with a norm inside.
struct TaggerConfig {
  int side = 448, patch = 16;  ///< pixels
  int width = 768, layers = 12, heads = 12, hidden = 3072;
  int tags = 0;
  int prefix = 0;             ///< class and register tokens, before those of patches
  bool prefix_placed = true;  ///< positions are added to them too
  bool eva = false;
  int reference = 16;      ///< EVA-02: patches of a side that rotary positions count as
  bool pools_mean = true;  ///< of the patches' tokens; else the first token
  Unary activation = Unary::gelu_erf;
  ImageInput input;

  int grid() const { return side / patch; }
  int tokens() const { return grid() * grid() + prefix; }
  int head_width() const { return width / heads; }
};

/// Reads shapes from the weights, and what they don't show from config.json beside them, as timm's
/// hub writes it: heads (else 64 channels each), pooling, the activation, mean and deviation of
/// pixels. Throws Error naming the file and what it lacks: of other kinds of networks (Swin,
/// ConvNeXt) the kinds that are read.
TaggerConfig tagger_config(const SafetensorsFile& weights);

/// The weights of a tagger's folder, model.safetensors. Throws Error if there are none, or only an
/// ONNX file.
std::filesystem::path tagger_weights(const std::filesystem::path& folder);

}  // namespace mantissa
