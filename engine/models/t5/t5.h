#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/t5/t5_config.h"
#include "engine/nn/attention.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/scope.h"
#include "engine/nn/word_embedding.h"

namespace mantissa {

/// A T5-v1.1 encoder at any width (Raffel et al., arXiv 1910.10683), transformers
/// names. The residual stream is fp32 regardless of the compute dtype: `wo` exceeds fp16's range.
class T5Encoder {
 public:
  T5Encoder(const T5Config& config, const Scope& scope);

  /// Fills an input of ids; those from the vocabulary's size on are of new words' vectors.
  static void feed_ids(Executor& executor, const std::string& name,
                       std::span<const std::int32_t> ids, const T5Config& config) {
    WordEmbedding::feed(executor, name, ids, config.vocab);
  }
  /// ids [b, tokens] int32; mask [b, tokens] fp32, added to the scores of each key (see text_mask);
  /// buckets [tokens, tokens] int32 (see t5_relative_buckets) -> [b, tokens, hidden].
  Value forward(Graph& graph, Value ids, Value mask, Value buckets) const;

  const T5Config& config() const { return config_; }

 private:
  struct Layer {
    RmsNorm norm1, norm2;
    Attention attention;
    Linear wi_0, wi_1, wo;
    Layer(const T5Config& config, const Scope& scope);
  };
  Value run_layer(const Layer& layer, Value x, const AttentionBiasValues& bias) const;
  Value position_bias(Graph& graph, Value buckets) const;

  T5Config config_;
  std::string bias_path_;
  DType activations_, stream_;
  WordEmbedding tokens_;
  Tensor* bias_table_;  ///< [buckets, heads], stored in layer 0, used by all
  std::vector<Layer> layers_;
  RmsNorm final_norm_;
};

/// Bucket of each (query, key): half the buckets for keys after the query; of the rest, half for
/// exact distances and half on a logarithmic scale up to config.max_distance.
std::vector<std::int32_t> t5_relative_buckets(std::int64_t tokens, const T5Config& config);

/// 0 for a caption's tokens up to and including the first `eos_id`, -10000 for the padding after
/// it.
std::vector<float> text_mask(std::span<const std::int32_t> ids, int eos_id);

}  // namespace mantissa
