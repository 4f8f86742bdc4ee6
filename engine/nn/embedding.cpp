#include "engine/nn/embedding.h"

#include "engine/graph/ops.h"

namespace mantissa {

Embedding::Embedding(const Scope& scope, std::int64_t count, std::int64_t width)
    : path_(scope.path()),
      result_(scope.activations()),
      table_(&scope.weight("weight", {count, width}, ModuleKind::embedding)) {}

Value Embedding::operator()(Value ids) const {
  Graph& graph = ids.graph();
  graph.set_path(path_);
  return cast(embedding(graph.use(*table_), ids), result_);
}

}  // namespace mantissa
