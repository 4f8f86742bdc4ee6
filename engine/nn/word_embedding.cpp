#include "engine/nn/word_embedding.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Inputs of a graph that reads words: rows of their vectors, and which of the two lookups each
/// value is from, 1 or 0.
std::string rows_of(const std::string& name) {
  return name + "_words";
}
std::string is_word(const std::string& name) {
  return name + "_is_word";
}
std::string is_token(const std::string& name) {
  return name + "_is_token";
}

/// Each flag repeated for the values of its token.
std::vector<float> widened(const std::vector<float>& flags, std::int64_t width) {
  std::vector<float> values;
  values.reserve(flags.size() * static_cast<std::size_t>(width));
  for (const float flag : flags) {
    values.insert(values.end(), static_cast<std::size_t>(width), flag);
  }
  return values;
}

}  // namespace

WordEmbedding::WordEmbedding(const Scope& scope, std::int64_t count, std::int64_t width)
    : path_(scope.path()),
      result_(scope.activations()),
      width_(width),
      table_(scope, count, width),
      words_(scope.words(width)) {}

WordIds WordEmbedding::inputs(Graph& graph, const std::string& name, const Shape& shape) const {
  WordIds ids(graph.input(name, DType::i32, shape));
  if (words_ != nullptr) {
    Shape values = shape;
    values.push_back(width_);
    ids.rows = graph.input(rows_of(name), DType::i32, shape);
    ids.is_token = graph.input(is_token(name), DType::f32, values);
    ids.is_word = graph.input(is_word(name), DType::f32, values);
  }
  return ids;
}

Value WordEmbedding::operator()(const WordIds& ids) const {
  const Value tokens = table_(ids.tokens);
  if (!ids.rows) {
    return tokens;
  }
  Graph& graph = tokens.graph();
  graph.set_path(path_);
  const Value words = embedding(graph.use(*words_), ids.rows);
  // Products by 1 and sums with 0 are exact: a token's values are those of the table.
  return cast(add(multiply(cast(tokens, DType::f32), ids.is_token), multiply(words, ids.is_word)),
              result_);
}

void WordEmbedding::feed(Executor& executor, const std::string& name,
                         std::span<const std::int32_t> ids, std::int64_t count) {
  if (!executor.has_input(rows_of(name))) {
    executor.feed(name, std::vector<std::int32_t>(ids.begin(), ids.end()));
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
  const std::int64_t width = executor.input(is_word(name)).shape[2];
  executor.feed(name, tokens);
  executor.feed(rows_of(name), rows);
  executor.feed(is_word(name), widened(word, width));
  executor.feed(is_token(name), widened(token, width));
}

}  // namespace mantissa
