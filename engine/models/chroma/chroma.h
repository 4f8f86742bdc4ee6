#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/chroma/chroma_approximator.h"
#include "engine/models/chroma/chroma_config.h"
#include "engine/models/flux1/flux1_blocks.h"
#include "engine/nn/linear.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// A Chroma transformer's inputs apart from the noised latents.
struct ChromaInputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value text;       ///< T5's states [b, tokens, context channels]
  /// [b, tokens] fp32, added to the scores of each: 0 for those of the caption and one of padding,
  /// very negative for the others.
  Value keys;
  Value cos, sin;  ///< [1, tokens + h/2·w/2, head_dim/2] fp32: see flux1_rotation
  Value numbers;   ///< [b, modulations, channels] fp32: see chroma_numbers
};

/// The transformer of Chroma at any width (lodestone-rock, github.com/lodestone-rock/flow),
/// diffusers names: FLUX.1's blocks, whose modulations one network makes from the time alone.
class ChromaTransformer {
 public:
  ChromaTransformer(const ChromaConfig& config, const Scope& scope);

  /// latents [b, h, w, in/4] (NHWC, fp32; even sides) -> the same shape: the flow from image to
  /// noise, noise - x0.
  Value forward(Graph& graph, Value latents, const ChromaInputs& inputs) const;

  const ChromaConfig& config() const { return config_; }

 private:
  Flux1Attended attended(Graph& graph, Value latents, const ChromaInputs& inputs) const;
  void check_inputs(Value latents, const ChromaInputs& inputs) const;

  ChromaConfig config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_, text_entry_;
  ChromaApproximator approximator_;
  std::vector<Flux1DoubleBlock> double_blocks_;
  std::vector<Flux1SingleBlock> single_blocks_;
  Linear exit_;
};

}  // namespace mantissa
