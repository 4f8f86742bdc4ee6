#pragma once
// defines: TextEncoding, TokenIds, CaptionTokenizer, TextGraph, TextEncoder

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/host_tensor.h"
#include "engine/io/tokenizer.h"
#include "engine/models/model.h"
#include "engine/train/program.h"

namespace mantissa {

/// What the UNet is told about a caption.
struct TextEncoding {
  HostTensor context;  ///< [tokens, te1 hidden + te2 hidden]
  HostTensor pooled;   ///< [te2 projection]
};

/// A caption as both encoders read it.
struct TokenIds {
  std::vector<std::int32_t> te1, te2;  ///< [tokens]
  std::int32_t te2_pool = 0;           ///< where the pooled vector is taken
};

/// The two tokenizers of a base model: its own where it brings them, else the built-in table.
class CaptionTokenizer {
 public:
  explicit CaptionTokenizer(const SdxlModel& model);
  TokenIds operator()(const std::string& caption) const;
  std::int64_t length() const { return length_; }

 private:
  ClipTokenizer te1_, te2_;
  ClipConfig config1_, config2_;
  std::int64_t length_;
};

/// Graph inputs of the text encoders, and what comes out.
struct TextGraph {
  Value context;  ///< [batch, tokens, width]
  Value pooled;   ///< [batch, projection]
};
/// Records both encoders; declares inputs te1_ids, te2_ids, positions [batch, tokens], te2_pool
/// [batch].
TextGraph record_text_encoders(Graph& graph, SdxlModel& model, std::int64_t batch,
                               std::int64_t tokens);
/// Fills those inputs.
void feed_text(Executor& executor, const std::vector<TokenIds>& batch);

/// Runs both text encoders on one caption at a time, with the model's adapters where it has any.
class TextEncoder {
 public:
  TextEncoder(Kernels& kernels, SdxlModel& model);
  TextEncoding encode(const std::string& caption);

 private:
  CaptionTokenizer tokenizer_;
  Arena arena_;
  Program program_;
};

}  // namespace mantissa
