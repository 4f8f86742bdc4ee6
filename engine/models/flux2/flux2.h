#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/flux2/flux2_config.h"
#include "engine/models/references.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// A FLUX.2 transformer's inputs apart from the noised latents.
struct Flux2Inputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value guidance;   ///< [b] fp32, only with Flux2Config::guidance
  /// [b, tokens, context channels]. Every token is attended to, padding too: the model was trained
  /// that way.
  Value text;
  /// [1, tokens + h·w + those of the references, head_dim/2] fp32: see flux2_positions
  Value cos, sin;
  std::vector<Value> references{};  ///< [b, h, w, in] each
};

/// RoPE of a text of `tokens` and, after it, of an image of height·width latents and of its
/// references. Positions are (image, row, column, token): (0, 0, 0, l) in the text, (0, y, x, 0) in
/// the image, (10·n, y, x, 0) in its n-th reference, from 1.
RotaryTables flux2_positions(std::int64_t tokens, LatentSize image,
                             std::span<const LatentSize> references, const Flux2Config& config);
inline RotaryTables flux2_positions(std::int64_t tokens, std::int64_t height, std::int64_t width,
                                    const Flux2Config& config) {
  return flux2_positions(tokens, {height, width}, {}, config);
}

/// The transformer of FLUX.2 at any width (Black Forest Labs, github.com/black-forest-labs/flux2),
/// diffusers names: double blocks, in which text and image have weights of their own and meet in
/// attention; then single blocks, where attention and feed-forward share their input and output
/// projections (arXiv 2302.05442). Three modulations of the timestep serve all blocks.
class Flux2Transformer {
 public:
  Flux2Transformer(const Flux2Config& config, const Scope& scope);

  /// latents [b, h, w, in] (NHWC, fp32) -> the same shape: the flow from image to noise, noise -
  /// x0. References are more tokens of the image's stream, whose outputs aren't used.
  Value forward(Graph& graph, Value latents, const Flux2Inputs& inputs) const;

  const Flux2Config& config() const { return config_; }

 private:
  /// A double block's names for one of its streams.
  struct StreamNames {
    std::array<const char*, 3> qkv;
    const char *norm_q, *norm_k, *out, *feed_forward;
  };
  /// The image's or the text's half of a double block.
  struct Stream {
    Projections qkv;
    RmsNorm norm_q, norm_k;
    Linear out, feed_in, feed_out;
    Stream(const Flux2Config& config, const Scope& scope, const StreamNames& names);
  };
  struct DoubleBlock {
    std::string path;
    Stream image, text;
    DoubleBlock(const Flux2Config& config, const Scope& scope);
  };
  struct SingleBlock {
    std::string path;
    Linear in;
    RmsNorm norm_q, norm_k;
    Linear out;
    SingleBlock(const Flux2Config& config, const Scope& scope);
  };
  /// shift, scale and gate, [b, width] each; twice in double blocks: for attention, then for the
  /// feed-forward.
  using Modulation = std::vector<Value>;
  struct Modulations {
    Modulation image, text, both;
  };
  struct Pair {
    Value image, text;
  };
  struct Heads {
    Value q, k, v;
  };
  static const StreamNames kImageNames, kTextNames;

  /// All tokens of the image's stream, embedded: the latents', then the references'.
  Value embedded(Value latents, const std::vector<Value>& references) const;
  Value condition(Graph& graph, const Flux2Inputs& inputs) const;
  Modulations modulations(Value condition) const;
  Value normed(Value x, const Modulation& m, std::size_t first) const;
  Value attend(const Heads& heads, const Flux2Inputs& inputs) const;
  Heads heads_of(const DoubleBlock& block, const Stream& stream, Value x,
                 const Modulation& m) const;
  Value leave(const DoubleBlock& block, const Stream& stream, Value x, Value attended,
              const Modulation& m) const;
  Pair run_double(const DoubleBlock& block, const Pair& x, const Flux2Inputs& inputs,
                  const Modulations& m) const;
  Value run_single(const SingleBlock& block, Value x, const Flux2Inputs& inputs,
                   const Modulation& m) const;
  Value exit(Value x, Value condition) const;
  void check_inputs(Value latents, const Flux2Inputs& inputs) const;

  Flux2Config config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_, text_entry_;
  TimestepMlp time_;
  std::optional<TimestepMlp> guidance_;
  Linear image_modulation_, text_modulation_, single_modulation_;
  std::vector<DoubleBlock> double_blocks_;
  std::vector<SingleBlock> single_blocks_;
  Linear exit_modulation_, exit_;
};

}  // namespace mantissa
