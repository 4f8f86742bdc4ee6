#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/krea2/krea2_config.h"
#include "engine/models/latent_size.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// A Krea 2 transformer's inputs apart from the noised latents.
struct Krea2Inputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  /// [b, tokens, layers·channels]: the text encoder's states side by side.
  Value text;
  Value keys;      ///< [b, tokens] fp32, added to the scores of each: 0, or kMaskedKey
  Value cos, sin;  ///< [1, tokens + patches, head_dim/2] fp32: see krea2_positions
  std::vector<Value> references{};  ///< [b, h, w, in/4] each, without noise
};

/// RoPE of a text of `tokens`, all at (0, 0, 0), after it of an image's latents: (0, row, column),
/// and after that of each reference's: (its number from 1, row, column).
RotaryTables krea2_positions(std::int64_t tokens, LatentSize image,
                             std::span<const LatentSize> references, const Krea2Config& config);

/// The transformer of Krea 2 at any width (github.com/krea-ai/krea-2), diffusers names. A small
/// transformer fuses the text encoder's states: across layers for each token, then across tokens.
/// One stream of text and image follows, with grouped keys and a gate behind attention. One
/// modulation of the timestep serves all blocks, each with a table of its own added. Reference
/// images stand behind the image, are attended to as it is, and are modulated as at time 0: AI
/// Toolkit's `edit`, for which the released model wasn't trained and adapters are.
class Krea2Transformer {
 public:
  Krea2Transformer(const Krea2Config& config, const Scope& scope);

  /// latents [b, h, w, in/4] (NHWC, fp32) -> the same shape: the flow from image to noise, noise -
  /// x0.
  Value forward(Graph& graph, Value latents, const Krea2Inputs& inputs) const;

  const Krea2Config& config() const { return config_; }

 private:
  struct Widths {
    int width, heads, key_heads, hidden;
  };
  /// What attention and feed-forward have in common in text fusion and in the stream.
  struct Layer {
    std::string path;
    int heads, key_heads;
    RmsNorm norm1, norm2, norm_q, norm_k;
    Projections query_gate, key_value;
    Linear out;
    Projections gate_up;
    Linear down;
    Layer(const Krea2Config& config, const Scope& scope, const Widths& widths);
    struct Rotation {
      Value cos, sin;
    };
    Value attend(Value x, const Rotation& rotation, Value keys) const;
    Value feed_forward(Value x) const;
  };
  struct Block {
    Layer layer;
    Tensor* table;
    Block(const Krea2Config& config, const Scope& scope);
  };
  struct Time {
    Value each, blocks;  ///< [b, width]; [b, 6·width], shared by the blocks
    Value still;         ///< [1, 6·width], of references; absent without some
  };
  /// The text and the image, and references, which may be absent.
  struct Streams {
    Value main, references;
  };

  Time time(Graph& graph, Value timesteps, bool still) const;
  Value fused_text(Graph& graph, const Krea2Inputs& inputs) const;
  Value run_fusion(const Layer& layer, Value x, Value keys) const;
  /// Scale, shift and gate of attention, then of the feed-forward: [b, width] each.
  std::vector<Value> modulation(const Block& block, Value time) const;
  Streams run_block(const Block& block, Streams x, const Time& time,
                    const Layer::Rotation& rotation, Value keys) const;
  /// An image's patches: [b, patches, in].
  Value patches_of(Value latents) const;
  Value exit(Value x, const Time& time) const;
  void check_latents(Value latents) const;
  void check_inputs(Value latents, const Krea2Inputs& inputs) const;

  Krea2Config config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_;
  Linear time1_, time2_, time_modulation_;
  std::vector<Layer> layerwise_, refiner_;
  Linear projector_;
  RmsNorm text_norm_;
  Linear text1_, text2_;
  std::vector<Block> blocks_;
  Tensor* exit_table_;
  RmsNorm exit_norm_;
  Linear exit_;
};

}  // namespace mantissa
