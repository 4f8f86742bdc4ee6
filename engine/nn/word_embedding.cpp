#include "engine/nn/word_embedding.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Inputs of a graph that reads words: rows of their vectors, and which of the two lookups each
/// token's values are from, 1 or 0.
std::string rows_of(const std::string& name) {
  return name + "_words";
}
std::string is_word(const std::string& name) {
  return name + "_is_word";
}
std::string is_token(const std::string& name) {
  return name + "_is_token";
}

/// Rows [b, tokens, width] times a flag [b, tokens] each.
Value flagged(Value rows, Value flags) {
  const Shape shape = rows.shape();
  const Value ones = constant(rows.graph(), flags.dtype(), {1, shape.cols()}, 1.0F);
  const Value wide = matmul(reshape(flags, {flags.shape().count(), 1}), ones, {});
  return multiply(rows, reshape(wide, shape));
}

}  // namespace

WordEmbedding::WordEmbedding(const Scope& scope, std::int64_t count, std::int64_t width)
    : path_(scope.path()),
      result_(scope.activations()),
      table_(scope, count, width),
      words_(scope.words(width)) {}

Value WordEmbedding::operator()(Value ids) const {
  const Value tokens = table_(ids);
  if (words_ == nullptr) {
    return tokens;
  }
  Graph& graph = ids.graph();
  const std::string name = graph.values()[static_cast<std::size_t>(ids.id())].path;
  const Value rows = graph.input(rows_of(name), DType::i32, ids.shape());
  const Value from_words = graph.input(is_word(name), DType::f32, ids.shape());
  const Value from_table = graph.input(is_token(name), DType::f32, ids.shape());
  graph.set_path(path_);
  const Value words = embedding(graph.use(*words_), rows);
  // Products by 1 and sums with 0 are exact: a token's values are those of the table.
  return cast(add(flagged(cast(tokens, DType::f32), from_table), flagged(words, from_words)),
              result_);
}

void WordEmbedding::feed(Executor& executor, const std::string& name,
                         std::span<const std::int32_t> ids, std::int64_t count) {
  if (!executor.has_input(rows_of(name))) {
    executor.feed(name, ids);
    return;
  }
  std::vector<std::int32_t> tokens, rows;
  std::vector<float> word, token;
  for (const std::int32_t id : ids) {
    const auto row = static_cast<std::int32_t>(id - count);
    tokens.push_back(row < 0 ? id : 0);
    rows.push_back(row < 0 ? 0 : row);
    word.push_back(row < 0 ? 0.0F : 1.0F);
    token.push_back(row < 0 ? 1.0F : 0.0F);
  }
  executor.feed(name, tokens);
  executor.feed(rows_of(name), rows);
  executor.feed(is_word(name), word);
  executor.feed(is_token(name), token);
}

}  // namespace mantissa
