#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/clip/clip_config.h"
#include "engine/nn/attention.h"
#include "engine/nn/embedding.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/scope.h"
#include "engine/nn/word_embedding.h"

namespace mantissa {

/// Which encoder state to use.
struct ClipTake {
  int from_end = 2;         ///< 1: the last layer's output; 2: its input; …
  bool final_norm = false;  ///< through the final norm, as SD 1.5 does
  /// Without a projection the pooled vector is the last layer's normed state, as in FLUX.1.
  bool pools_states = false;
};

struct ClipOutput {
  Value hidden;  ///< [b, tokens, hidden]
  Value pooled;  ///< [b, projection], or [b, hidden] of ClipTake::pools_states; else absent
};

/// A CLIP text encoder (ViT-L or OpenCLIP bigG, any widths), transformers names.
class ClipText {
 public:
  ClipText(const ClipConfig& config, const Scope& scope);

  /// Fills an input of ids; those from the vocabulary's size on are of new words' vectors.
  static void feed_ids(Executor& executor, const std::string& name,
                       std::span<const std::int32_t> ids, const ClipConfig& config) {
    WordEmbedding::feed(executor, name, ids, config.vocab);
  }
  /// ids and position_ids [b, tokens] int32; pool_index [b] int32, where the text ends. Layers
  /// after the chosen state are recorded only for the pooled output: pool_index given, and the
  /// model has a projection or `take` needs none. Throws Error if `take` leaves no layer.
  ClipOutput forward(Graph& graph, Value ids, Value position_ids, Value pool_index = {},
                     const ClipTake& take = {}) const;

  const ClipConfig& config() const { return config_; }

 private:
  struct Layer {
    LayerNorm norm1, norm2;
    Attention attention;
    Linear fc1, fc2;
    Layer(const ClipConfig& config, const Scope& scope);
  };
  Value run_layer(const Layer& layer, Value x) const;

  ClipConfig config_;
  DType border_;
  WordEmbedding tokens_;
  Embedding positions_;
  std::vector<Layer> layers_;
  LayerNorm final_norm_;
  std::optional<Linear> projection_;
};

/// The position of transformers' pooled vector: the first EOS; for configs with eos_id 2 (from
/// before that id was corrected) the first greatest id. 0 if there is none.
std::int32_t clip_pool_index(std::span<const std::int32_t> ids, int eos_id);
/// The pooled vector's position in ids with those of new words, which are greater than the end's.
std::int32_t clip_pool_index(std::vector<std::int32_t> ids, const ClipConfig& config);
/// 0 … tokens-1, repeated for `batch` rows.
std::vector<std::int32_t> clip_position_ids(std::int64_t batch, std::int64_t tokens);

}  // namespace mantissa
