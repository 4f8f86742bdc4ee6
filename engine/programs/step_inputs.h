#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/models/diffusion_model.h"
#include "engine/models/references.h"

namespace mantissa {

/// What stands before the names of a step's further texts: the preserved caption; a slider's
/// prompts beside its target.
inline constexpr const char *kPreserved = "preserved.", *kPositive = "positive.",
                            *kNegative = "negative.", *kAnchor = "anchor.";

/// All inputs of one micro-step, on the host.
struct StepInputs {
  std::int64_t batch = 0, height = 0, width = 0, channels = 0;  ///< of the latents
  std::vector<float> latents, noise;  ///< [batch, height, width, channels], latents scaled
  /// [batch, height·f, width·f, 3] in [-1, 1], instead of latents and all that follows; only if the
  /// VAE is trained.
  std::vector<float> images;
  std::vector<double> timesteps;  ///< [batch], the model's timestep inputs
  std::vector<float> time_ids;    ///< [batch, 6]
  /// [batch, ...] by the names of a TextEncoding, those of further captions behind a head such as
  /// kPreserved; empty if text is trained.
  std::map<std::string, std::vector<float>> text;
  std::vector<TokenIds> tokens;      ///< [batch]; only if text is trained
  std::vector<float> mask;           ///< [batch, height, width] weights of the loss; empty: none
  std::vector<float> sample_weight;  ///< [batch], on top of the timestep's; empty: 1
  /// [batch], of the loss against the base model's prediction; only if that is preserved.
  std::vector<float> preservation_weight;
  std::vector<std::string> sources;  ///< where each sample comes from, for messages
  /// In the order in which the model reads them; of a slider of pairs, the negative images alone.
  std::vector<ReferenceLatents> references;
};

struct StepShape {
  std::int64_t batch = 0, height = 0, width = 0, tokens = 0;  ///< latents; context length
  std::vector<LatentSize> references{};
  /// Latent positions of the batch, references included.
  std::int64_t positions() const {
    std::int64_t each = height * width;
    for (const LatentSize& reference : references) {
      each += reference.positions();
    }
    return batch * each;
  }
  auto operator<=>(const StepShape&) const = default;
};
/// `tokens`: of the captions.
inline StepShape shape_of(const StepInputs& in, std::int64_t tokens) {
  return {in.batch, in.height, in.width, tokens, sizes_of(in.references)};
}

}  // namespace mantissa
