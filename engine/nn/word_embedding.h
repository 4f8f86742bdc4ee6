#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/graph/executor.h"
#include "engine/nn/embedding.h"

namespace mantissa {

/// Ids [b, tokens] int32 as a WordEmbedding reads them.
struct WordIds {
  WordIds(Value ids) : tokens(ids) {}
  Value tokens;
  Value rows;               ///< of words' vectors; absent, as the others, where there are none
  Value is_token, is_word;  ///< [b, tokens, width] fp32, 1 or 0: which lookup counts
};

/// A table of tokens with the vectors of new words beside it (AdapterSet::request_words), as if
/// they were its next rows. The table stays as it is, whatever its type; the vectors are fp32.
class WordEmbedding {
 public:
  WordEmbedding(const Scope& scope, std::int64_t count, std::int64_t width);

  /// Inputs that `feed` fills: ids named `name`, and what tells words from tokens.
  WordIds inputs(Graph& graph, const std::string& name, const Shape& shape) const;
  /// [b, tokens, width] in the part's activation dtype.
  Value operator()(const WordIds& ids) const;
  /// Ids from `count` on are those of the words' vectors.
  static void feed(Executor& executor, const std::string& name, std::span<const std::int32_t> ids,
                   std::int64_t count);

 private:
  std::string path_;
  DType result_;
  std::int64_t width_;
  Embedding table_;
  Tensor* words_;  ///< null: none
};

}  // namespace mantissa
