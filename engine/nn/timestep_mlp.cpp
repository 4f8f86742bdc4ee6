#include "engine/nn/timestep_mlp.h"

#include "engine/graph/ops.h"

namespace mantissa {

TimestepMlp::TimestepMlp(const Scope& scope, std::int64_t in, std::int64_t width, bool bias)
    : path_(scope.path()),
      first_(scope / "linear_1", in, width, bias),
      second_(scope / "linear_2", width, width, bias) {}

Value TimestepMlp::operator()(Value x) const {
  const Value h = first_(x);
  x.graph().set_path(path_);
  return second_(silu(h));
}

}  // namespace mantissa
