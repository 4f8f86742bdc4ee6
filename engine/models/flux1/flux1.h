#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/flux1/flux1_blocks.h"
#include "engine/models/flux1/flux1_config.h"
#include "engine/models/references.h"
#include "engine/nn/linear.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// A FLUX.1 transformer's inputs apart from the noised latents.
struct Flux1Inputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value guidance;   ///< [b] fp32, only with Flux1Config::guidance
  /// T5's states [b, tokens, context channels]. Every token is attended to, padding too: the model
  /// was trained that way.
  Value text;
  Value pooled;  ///< CLIP's vector [b, pooled channels]
  /// [1, tokens + h/2·w/2 + those of the references, head_dim/2] fp32: see flux1_positions
  Value cos, sin;
  std::vector<Value> references{};  ///< [b, h, w, in/4] each, with even sides: Kontext's
};

/// RoPE of a text of `tokens` and, after it, of an image of latents and of its references, in
/// tokens of 2 x 2: see flux1_rotation.
RotaryTables flux1_positions(std::int64_t tokens, LatentSize image, const Flux1Config& config,
                             std::span<const LatentSize> references = {});

/// The transformer of FLUX.1 at any width (Black Forest Labs, github.com/black-forest-labs/flux),
/// diffusers names: double blocks, then single blocks. Every block has its own modulation of time,
/// guidance and pooled text.
class Flux1Transformer {
 public:
  Flux1Transformer(const Flux1Config& config, const Scope& scope);

  /// latents [b, h, w, in/4] (NHWC, fp32; even sides) -> the same shape: the flow from image to
  /// noise, noise - x0.
  Value forward(Graph& graph, Value latents, const Flux1Inputs& inputs) const;

  const Flux1Config& config() const { return config_; }

 private:
  struct Double {
    Flux1DoubleBlock block;
    Linear image, text;  ///< modulations
    Double(const Flux1Widths& widths, const Scope& scope);
  };
  struct Single {
    Flux1SingleBlock block;
    Linear modulation;
    Single(const Flux1Widths& widths, const Scope& scope);
  };
  Value condition(Graph& graph, const Flux1Inputs& inputs) const;
  Value exit(Value x, Value condition) const;
  void check_inputs(Value latents, const Flux1Inputs& inputs) const;

  Flux1Config config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_, text_entry_;
  TimestepMlp time_, pooled_;
  std::optional<TimestepMlp> guidance_;
  std::vector<Double> double_blocks_;
  std::vector<Single> single_blocks_;
  Linear exit_modulation_, exit_;
};

}  // namespace mantissa
