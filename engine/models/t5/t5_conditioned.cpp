#include "engine/models/t5/t5_conditioned.h"

#include "engine/models/t5/t5_model_tokenizer.h"

namespace mantissa {

void T5Reader::read_text_config(Part part) {
  part_ = part;
  if (has(part)) {
    t5_config_ = mantissa::t5_config(source(), part);
  }
}

void T5Reader::require_text_width(int width) const {
  if (has(part_) && t5_config_.hidden != width) {
    refuse_text_width(t5_config_.hidden, width);
  }
}

T5Encoder& T5Reader::t5() {
  if (!t5_) {
    require(part_);
    t5_ = std::make_unique<T5Encoder>(t5_config_, scope(part_));
  }
  return *t5_;
}

const T5Tokenizer& T5Reader::own_t5_tokenizer() {
  if (!t5_tokenizer_) {
    t5_tokenizer_ = mantissa::t5_tokenizer(source(), part_, t5_config_.vocab);
  }
  return *t5_tokenizer_;
}

T5Tokenizer T5Reader::t5_tokenizer() {
  return own_t5_tokenizer().with_words(new_words(t5_config_.vocab));
}

std::map<Part, std::vector<std::int32_t>> T5Reader::word_ids(const std::string& text) {
  return {{part_, own_t5_tokenizer().encode(prepared(text))}};
}

std::vector<TextReach> T5Reader::text_reach(const std::string& caption) {
  if (!has(part_)) {
    return {};
  }
  // The last is the end of the text.
  return {{part_, std::ssize(t5_tokenizer().encode(prepared(caption))), most_tokens() - 1}};
}

TokenIds T5Reader::tokenize(const std::string& caption) {
  TokenIds tokens;
  tokens.ids[input("_ids")] = t5_tokenizer().encode_padded(
      prepared(caption), static_cast<int>(text_tokens()), t5_config_.pad_id, t5_config_.eos_id);
  return tokens;
}

Value T5Reader::t5_states(Graph& graph, std::int64_t batch, std::int64_t tokens, Value mask) {
  const Value buckets = graph.input(input("_buckets"), DType::i32, {tokens, tokens});
  const Value ids = graph.input(input("_ids"), DType::i32, {batch, tokens});
  return t5().forward(graph, ids, mask, buckets);
}

void T5Reader::feed_t5(Executor& executor, std::span<const TokenIds> batch) const {
  const std::string ids = input("_ids");
  T5Encoder::feed_ids(executor, ids, joined_ids(batch, ids), t5_config_);
  executor.feed(input("_buckets"), t5_relative_buckets(executor.input(ids).shape[1], t5_config_));
}

}  // namespace mantissa
