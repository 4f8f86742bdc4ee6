#include "engine/nn/embedding.h"

#include "engine/graph/ops.h"

namespace mantissa {

Embedding::Embedding(const Scope& scope, std::int64_t count, std::int64_t width)
    : path_(scope.path()), table_(&scope.weight("weight", {count, width})) {}

Value Embedding::operator()(Value ids) const {
  Graph& graph = ids.graph();
  graph.set_path(path_);
  return embedding(graph.use(*table_), ids);
}

}  // namespace mantissa
