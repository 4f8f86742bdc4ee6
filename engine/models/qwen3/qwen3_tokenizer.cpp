#include "engine/models/qwen3/qwen3_tokenizer.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {

BpeTokenizer qwen3_tokenizer(const WeightSource& source, Part part, std::int64_t embeddings) {
  const auto own = source.tokenizer_folder(part);
  BpeTokenizer tokenizer = BpeTokenizer::from_folder(own ? *own : resource_path("qwen3"));
  check_vocabulary(tokenizer.vocab_size(), embeddings);
  return tokenizer;
}

void check_vocabulary(std::int64_t known, std::int64_t embeddings) {
  if (known > embeddings) {
    throw Error(message<"the tokenizer knows {known} pieces but the text encoder has {count} "
                        "embeddings. Put the model's own tokenizer folder beside its weights">(
        known, embeddings));
  }
}

}  // namespace mantissa
