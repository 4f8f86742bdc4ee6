#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/chroma/chroma_config.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// The network that makes every modulation of a Chroma from the time and the modulation's number
/// (distilled_guidance_layer): trained beside FLUX.1's own layers to give what they gave, with
/// guidance 0.
class ChromaApproximator {
 public:
  ChromaApproximator(const ChromaConfig& config, const Scope& scope);
  /// timesteps [b] fp32, 0 to 1000; numbers [b, modulations, channels]: see chroma_numbers ->
  /// [b, modulations, width].
  Value operator()(Value timesteps, Value numbers) const;

 private:
  struct Layer {
    RmsNorm norm;
    TimestepMlp mlp;
  };
  std::string path_;
  DType activations_;
  std::int64_t channels_;
  Linear entry_, exit_;
  std::vector<Layer> layers_;
};

/// What the approximator reads beside the time, [modulations, channels]: zeros in its place, the
/// sinusoids of guidance 0, those of each modulation's number.
std::vector<float> chroma_numbers(const ChromaConfig& config);

}  // namespace mantissa
