#include "engine/models/qwen3/ministral3_tokenizer.h"

#include "engine/core/error.h"
#include "engine/models/missing_parts.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"

namespace mantissa {

namespace {

constexpr const char* kBeginOfText = "<s>";

}  // namespace

BpeTokenizer ministral3_tokenizer(const WeightSource& source, Part part, std::int64_t embeddings) {
  const auto folder = source.tokenizer_folder(part);
  if (!folder) {
    throw Error(without_tokenizer(source, part));
  }
  BpeTokenizer tokenizer = BpeTokenizer::from_folder(*folder, {.before = {kBeginOfText}});
  check_vocabulary(tokenizer.vocab_size(), embeddings);
  return tokenizer;
}

std::vector<std::int32_t> ministral3_ids(const BpeTokenizer& tokenizer, std::string_view text) {
  const auto begin = tokenizer.id_of(kBeginOfText);
  if (!begin) {
    throw Error(message<"the tokenizer has no token '{token}', which begins every text; get the "
                        "model's tokenizer folder again">(kBeginOfText));
  }
  std::vector<std::int32_t> ids = tokenizer.encode(text);
  ids.insert(ids.begin(), *begin);
  return ids;
}

}  // namespace mantissa
