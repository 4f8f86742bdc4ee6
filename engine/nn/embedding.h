#pragma once

#include <string>

#include "engine/graph/graph.h"
#include "engine/nn/scope.h"

namespace mantissa {

class Embedding {
 public:
  Embedding(const Scope& scope, std::int64_t count, std::int64_t width);
  /// ids [...] int32 -> [..., width] in the part's activation dtype.
  Value operator()(Value ids) const;

 private:
  std::string path_;
  DType result_;
  Tensor* table_;
};

}  // namespace mantissa
