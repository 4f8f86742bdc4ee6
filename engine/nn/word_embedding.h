#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/graph/executor.h"
#include "engine/nn/embedding.h"

namespace mantissa {

/// A table of tokens with the vectors of new words beside it (AdapterSet::request_words), as if
/// they were its next rows. The table stays as it is, whatever its type; the vectors are fp32.
class WordEmbedding {
 public:
  WordEmbedding(const Scope& scope, std::int64_t count, std::int64_t width);

  /// ids: an input of the graph, [b, tokens] int32, that `feed` fills -> [b, tokens, width] in the
  /// part's activation dtype. Where there are words it declares further inputs.
  Value operator()(Value ids) const;
  /// Feeds the input of this name, and what tells words from tokens. Ids from `count` on are those
  /// of the words' vectors.
  static void feed(Executor& executor, const std::string& name, std::span<const std::int32_t> ids,
                   std::int64_t count);

 private:
  std::string path_;
  DType result_;
  Embedding table_;
  Tensor* words_;  ///< null: none
};

}  // namespace mantissa
