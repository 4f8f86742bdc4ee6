#include "engine/adapters/adapter.h"

#include "engine/core/error.h"

namespace mantissa {

const Tensor& adapted_weight(const Adapter& adapter) {
  if (adapter.weight == nullptr || !adapter.weight->loaded()) {
    throw Error(
        Message::verbatim(adapter.path +
                          ": this kind of adapter is computed from the weight it adapts, and "
                          "the layer was bound without loading one"));
  }
  return *adapter.weight;
}

Shape down_shape(const Shape& weight, int rank) {
  return weight.rank() == 4 ? Shape{rank, weight[1], weight[2], weight[3]} : Shape{rank, weight[1]};
}

Shape up_shape(const Shape& weight, int rank) {
  return weight.rank() == 4 ? Shape{weight[0], rank, 1, 1} : Shape{weight[0], rank};
}

}  // namespace mantissa
