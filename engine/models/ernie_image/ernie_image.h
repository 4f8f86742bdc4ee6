#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/ernie_image/ernie_image_config.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// An ERNIE-Image transformer's inputs apart from the noised latents.
struct ErnieImageInputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value text;       ///< [b, tokens, context channels], padded behind
  Value keys;       ///< [b, tokens] fp32, added to the scores of each: 0, or kMaskedKey
  Value place;      ///< [b, 2, channels of the first axis] fp32: see ernie_image_place
  Value cos, sin;   ///< [1, h·w + tokens, head_dim] fp32: see ernie_image_positions
};

/// RoPE of an image of height·width latents and behind it of a text of `tokens`, an angle for each
/// channel: what the two halves of a head exchange turns by different ones. Positions are (0, row,
/// column) and (l, 0, 0); the image's place is each sample's own.
RotaryTables ernie_image_positions(std::int64_t tokens, std::int64_t height, std::int64_t width,
                                   const ErnieImageConfig& config);
/// Cosines and sines of the image's first axis behind a text of `length` tokens, without padding.
std::vector<float> ernie_image_place(std::int64_t length, const ErnieImageConfig& config);

/// The transformer of ERNIE-Image at any width (Baidu, github.com/baidu/ERNIE-Image), diffusers
/// names: one stream of image and text, one modulation of the time for all layers.
class ErnieImageTransformer {
 public:
  ErnieImageTransformer(const ErnieImageConfig& config, const Scope& scope);

  /// latents [b, h, w, in] (NHWC, fp32) -> the same shape: the flow from image to noise, noise -
  /// x0.
  Value forward(Graph& graph, Value latents, const ErnieImageInputs& inputs) const;

  const ErnieImageConfig& config() const { return config_; }

 private:
  struct Layer {
    std::string path;
    RmsNorm norm1, norm2;
    Projections qkv;
    RmsNorm norm_q, norm_k;
    Linear out;
    Projections up_and_gate;
    Linear down;
    Layer(const ErnieImageConfig& config, const Scope& scope);
  };
  /// What attention depends on, apart from the tokens.
  struct Sequence {
    Value cos, sin;  ///< [b, tokens, head_dim]
    Value keys;      ///< [b, tokens]
  };
  Sequence sequence(Graph& graph, const ErnieImageInputs& inputs, std::int64_t patches) const;
  Value placed(Value table, Value place, std::int64_t patches) const;
  Value condition(Graph& graph, Value timesteps) const;
  Value attend(const Layer& layer, Value x, const Sequence& sequence) const;
  Value run_layer(const Layer& layer, Value x, const Sequence& sequence,
                  const std::vector<Value>& modulation) const;
  Value exit(Value image, Value condition) const;
  void check_inputs(Value latents, const ErnieImageInputs& inputs) const;

  ErnieImageConfig config_;
  std::string path_;
  DType activations_, statistics_;
  Conv2d entry_;
  std::optional<Linear> text_entry_;  ///< not if the text is as wide as the transformer
  TimestepMlp time_;
  Linear modulation_;
  std::vector<Layer> layers_;
  Linear exit_modulation_, exit_;
};

}  // namespace mantissa
