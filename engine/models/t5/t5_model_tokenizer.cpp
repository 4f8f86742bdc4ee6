#include "engine/models/t5/t5_model_tokenizer.h"

#include <filesystem>
#include <system_error>

#include "engine/core/error.h"
#include "engine/models/missing_parts.h"

namespace mantissa {

T5Tokenizer t5_tokenizer(const WeightSource& source, Part part, int embeddings) {
  auto folder = source.tokenizer_folder(part);
  if (!folder) {
    // A folder without the tokenizer's file says so itself.
    folder = source.path() / source.family().part(part)->tokenizer;
    std::error_code none;
    if (!std::filesystem::is_directory(*folder, none)) {
      throw Error(without_tokenizer(source, part));
    }
  }
  T5Tokenizer tokenizer = T5Tokenizer::from_folder(*folder);
  require_vocabulary(tokenizer.vocab_size(), embeddings);
  return tokenizer;
}

void require_vocabulary(int known, int embeddings) {
  if (known > embeddings) {
    throw Error(message<"the tokenizer knows {known} tokens but the text encoder has {count} "
                        "embeddings. Put the model's own tokenizer folders beside its weights">(
        known, embeddings));
  }
}

}  // namespace mantissa
