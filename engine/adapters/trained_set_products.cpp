// TrainedSet: LoHa and LoKr.
#include "engine/adapters/trained_set.h"
#include "engine/graph/executor.h"

namespace mantissa {

void TrainedSet::add_product(Adapter& adapter) {
  ProductAdapter& product = adapter.product.emplace();
  product.type = options_.type;
  const auto factors = product_factors(options_.type, adapter.shape, adapter.rank, options_.factor);
  product.members.resize(factors.size());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    ProductAdapter::Member& member = product.members[i];
    member.role = factors[i].role;
    member.start = factors[i].start;
    add_tensor(adapter, member.tensor, tensor_suffix(member.role, TensorNames::kohya),
               factors[i].shape);
  }
  if (!product.has_scale()) {
    adapter.alpha = static_cast<float>(adapter.rank);
    adapter.scale = 1;
  }
}

/// scale·dW of the current factors, in the dtype that steps compute it in.
DeviceArray TrainedSet::product_change(Adapter& adapter) const {
  constexpr const char* kChange = "change";
  Graph graph;
  const DType dtype = adapter.weight->dtype == DType::f64 ? DType::f64 : dtypes().compute;
  graph.output(kChange,
               product_weight(graph, *adapter.product, adapter.scale, dtype, /*tf32=*/false));
  const Plan plan = make_plan(graph);
  Kernels& kernels = on(adapter.device);
  Arena arena(kernels);
  Executor executor(graph, plan, kernels, arena);
  executor.run({});
  const View made = executor.output(kChange);
  DeviceArray change(kernels, made.shape, made.dtype);
  kernels.copy(made, change.view());
  return change;
}

AdapterModule TrainedSet::product_of(const Adapter& adapter, const FlatValues& flat) const {
  AdapterModule module;
  module.path = adapter.path;
  module.down_shape = down_shape(adapter.shape, 0);
  module.up_shape = up_shape(adapter.shape, 0);
  ProductModule& product = module.product.emplace();
  product.type = adapter.product->type;
  product.rank = adapter.rank;
  // Files support alpha / rank only, so every scaling is written as the equivalent alpha.
  product.alpha = options_.scaling == AdapterScaling::standard
                      ? static_cast<double>(adapter.alpha)
                      : static_cast<double>(adapter.scale) * adapter.rank;
  for (const ProductAdapter::Member& member : adapter.product->members) {
    product.members.push_back({member.role, member.tensor.shape, values(member.tensor, flat)});
  }
  return module;
}

}  // namespace mantissa
