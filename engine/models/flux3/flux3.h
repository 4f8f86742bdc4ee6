#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/flux3/flux3_config.h"
#include "engine/models/references.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// A FLUX.3 transformer's inputs apart from the noised latents.
struct Flux3Inputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value text;       ///< [b, tokens, context channels]
  /// [b, tokens] fp32, added to the scores of each: 0, or kMaskedKey behind a caption's window. The
  /// padding inside of its window is attended to: the model was trained that way.
  Value keys;
  Value cos, sin;  ///< [1, text + image + references, head_dim/2] fp32: see flux3_positions
  std::vector<Value> references{};  ///< [b, h, w, reference channels] each, without noise
};

/// RoPE of a text of `tokens`, then of an image, then of reference images. Positions are (frame,
/// row, column, token), rows and columns halved: (0, 0, 0, l) in the text, (0, y/2, x/2, 0) in the
/// image, (0, y/2, x/2, −1 − i) in reference i.
RotaryTables flux3_positions(std::int64_t tokens, LatentSize image,
                             std::span<const LatentSize> references, const Flux3Config& config);

/// Whether reference images are given, which have blocks of their own.
enum class Flux3References { none, given };

/// The transformer of FLUX.3 Image at any width (Black Forest Labs), diffusers names. Text, image
/// and reference images each pass through blocks of their own, then through joint ones. In every
/// block attention and feed-forward read the same input and are added together (arXiv 2302.05442).
/// Two modulations for each serve all its blocks; text and references are at time 0.
class Flux3Transformer {
 public:
  Flux3Transformer(const Flux3Config& config, const Scope& scope,
                   Flux3References references = Flux3References::none);

  /// latents [b, h, w, in] (NHWC, fp32) -> the same shape: the flow from image to noise, noise -
  /// x0. A flow map is asked for a jump of no length, which is this flow.
  Value forward(Graph& graph, Value latents, const Flux3Inputs& inputs) const;

  const Flux3Config& config() const { return config_; }

 private:
  struct Block {
    std::string path;
    Projections qkv;
    RmsNorm norm_q, norm_k;
    Linear out, feed_in, feed_out;
    Block(const Flux3Config& config, const Scope& scope);
  };
  /// What text, image or references have of their own.
  struct Mode {
    Linear entry, early, late;
    std::vector<Block> blocks;
    Mode(const Flux3Config& config, const Scope& scope, const std::string& name,
         const std::string& entry, const std::string& blocks, std::int64_t channels);
  };
  /// Tokens of a mode on their way: shift, scale and gate of the joint blocks are [b, width] each.
  struct Stream {
    Value x;
    std::vector<Value> modulation;
  };
  struct Attended {
    Value cos, sin, keys;
  };

  Value times(Value timesteps, Value targets) const;
  Value normed(Value x, const std::vector<Value>& modulation) const;
  Value attend_and_feed(const Block& block, Value x, const Attended& to) const;
  Value reference_tokens(const std::vector<Value>& references) const;
  Stream run_mode(const Mode& mode, Value tokens, Value time, const Attended& to) const;
  void run_single(const Block& block, std::vector<Stream>& streams, const Attended& to) const;
  Value exit(Value x, Value time) const;
  void check_inputs(Value latents, const Flux3Inputs& inputs) const;

  Flux3Config config_;
  std::string path_;
  DType activations_, statistics_;
  TimestepMlp time_;
  std::optional<TimestepMlp> target_;
  Mode text_, image_;
  std::optional<Mode> references_;
  std::vector<Block> single_blocks_;
  Linear exit_modulation_, exit_;
};

}  // namespace mantissa
