#include "engine/nn/adapted.h"

#include <algorithm>
#include <utility>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// onto + change, dithered. A change is small relative to its addend: nearest rounding would always
/// drop most of it.
Value corrected(Value onto, Value change) {
  return scale_channels(onto, {}, {.v = change});
}

/// The rule for computing an adapter's factor with the others: its weight is on the device, and its
/// tensors need no conversion.
bool may_batch(const Adapter& adapter) {
  return adapter.dora && adapter.weight != nullptr && !adapter.weight->streamed &&
         !is_grouped(adapter.weight->dtype) &&
         (adapter.weight->dtype == DType::f64) == (adapter.down.dtype == DType::f64);
}

DoraLayer dora_layer(Adapter& adapter) {
  DoraAdapter& dora = *adapter.dora;
  return {.weight = adapter.weight,
          .down = &adapter.down,
          .up = &adapter.up,
          .squares = &dora.squares,
          .magnitude = &dora.magnitude,
          .scale = adapter.scale,
          .per_input = dora.axis == DoraAxis::input};
}

/// The adapters whose factors are side by side: those of a stack that may be multiplied together
/// (Projections::may_join).
std::vector<Adapter*> group_of(Adapter& adapter) {
  const bool joined =
      adapter.stack != nullptr && adapter.dropout == 0 && adapter.dora->axis == DoraAxis::output;
  return joined ? adapter.stack->parts : std::vector{&adapter};
}

/// By place in the batch, the factors of the adapter's group; absent if they stay separate.
std::vector<Value> record_batch(Graph& graph, const DoraBatch& batch) {
  std::vector<std::vector<Adapter*>> groups;
  std::vector<std::vector<DoraLayer>> layers;
  for (Adapter* adapter : batch.adapters) {
    const std::vector<Adapter*> group = group_of(*adapter);
    if (group.front() == adapter &&
        std::ranges::all_of(group, [](const Adapter* one) { return may_batch(*one); })) {
      groups.push_back(group);
      layers.emplace_back();
      for (Adapter* member : group) {
        layers.back().push_back(dora_layer(*member));
      }
    }
  }
  std::vector<Value> result(batch.adapters.size());
  if (layers.empty()) {
    return result;
  }
  const std::vector<Value> factors = dora_factors(graph, std::move(layers));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Adapter* member : groups[g]) {
      result[member->dora->place] = factors[g];
    }
  }
  return result;
}

/// The factors of the adapter's group; absent if its own is computed separately.
Value batched_factors(Graph& graph, const DoraAdapter& dora) {
  if (dora.batch == nullptr) {
    return {};
  }
  return graph.once_all(dora.batch->whole,
                        [&] { return record_batch(graph, *dora.batch); })[dora.place];
}

/// The adapter's own of them.
Value own_factor(Value factors, Adapter& adapter) {
  const std::vector<Adapter*> group = group_of(adapter);
  if (group.size() == 1) {
    return factors;
  }
  const std::vector<Value> parts = factors.graph().once_all(group.front()->dora->magnitude, [&] {
    return split_channels(factors, static_cast<int>(group.size()));
  });
  return parts[static_cast<std::size_t>(std::ranges::find(group, &adapter) - group.begin())];
}

Value in_dtype_of_statistics(Value factor, Value x) {
  return cast(factor, x.dtype() == DType::f64 ? DType::f64 : DType::f32);
}

/// scale·dW of a LoHa or LoKr, in the dtype of x.
Value change_matrix(const AdaptedLayer& layer, Adapter& adapter, Value x) {
  return product_weight(x.graph(), *adapter.product, adapter.scale, x.dtype(), layer.tf32);
}

/// x by LoKr's factors.
Value lokr_change(const AdaptedLayer& layer, Adapter& adapter, Value x) {
  ProductAdapter& product = *adapter.product;
  std::vector<Value> w2;
  for (const AdapterRole role :
       {AdapterRole::lokr_w2, AdapterRole::lokr_w2_b, AdapterRole::lokr_w2_a}) {
    if (Tensor* tensor = product.find(role)) {
      w2.push_back(matrix_for(x, *tensor));
    }
  }
  return lokr_product(x, matrix_for(x, *product.find(AdapterRole::lokr_w1)), w2, adapter.scale,
                      layer.tf32);
}

/// s·B·A·x.
Value low_rank_change(const AdaptedLayer& layer, Adapter& adapter, Value x) {
  const Value h = layer.down(x, adapter.down);
  const Value up = read_tensor(x.graph(), adapter.up, h.dtype());
  return matmul(h, reshape(up, {up.shape()[0], up.shape()[1]}),
                {.transpose_b = true, .alpha = adapter.scale, .tf32 = layer.tf32});
}

/// A factor that no training changes, in the dtype of statistics of `x`.
Value fixed_factor(WeightFactor& factor, Value x) {
  return in_dtype_of_statistics(x.graph().use(factor.factor), x);
}

/// What one training adapter adds to W·x.
Value frozen_change(const AdaptedLayer& layer, FrozenChange& change, Value x) {
  Adapter& adapter = change.adapter;
  if (change.whole) {
    return layer.by(x, matrix_for(x, *change.whole));
  }
  if (adapter.product) {
    return product_change(layer, adapter, x);
  }
  const Value low = low_rank_change(layer, adapter, x);
  if (!adapter.factor) {
    return low;
  }
  const Value factor = fixed_factor(*adapter.factor, x);
  return adapter.factor->axis == DoraAxis::input
             ? layer.base(scale_channels(x, factor), {}, low)
             : scale_channels(low, factor, {.v = layer.base(x, {}, {})});
}

/// `addend` and what active training adapters add to W·x; absent if there is nothing of either.
Value with_training_adapters(const AdaptedLayer& layer, Value x, Value addend) {
  if (layer.beside == nullptr || !*layer.beside->active) {
    return addend;
  }
  for (FrozenChange& change : layer.beside->changes) {
    const Value added = frozen_change(layer, change, x);
    addend = addend ? corrected(addend, added) : added;
  }
  return addend;
}

/// f = m / n of a LoHa or LoKr with the matrix `change`, through whose norm gradients flow.
Value product_factor(const AdaptedLayer& layer, Value change, Value x) {
  Graph& graph = x.graph();
  const OutsideSegment kept(graph);
  DoraAdapter& dora = *layer.adapter->dora;
  const bool wide = layer.weight->dtype == DType::f64;
  const DType other = change.dtype() == DType::f64 ? DType::f32 : change.dtype();
  const Value squares = graph.use(dora.squares);
  const Value norm = changed_norm(*layer.weight, cast(change, wide ? DType::f64 : other), squares,
                                  dora.axis == DoraAxis::input);
  const Value magnitude =
      wide ? read_tensor(graph, dora.magnitude, DType::f64) : graph.use(dora.magnitude);
  return in_dtype_of_statistics(dora_factor(magnitude, norm, squares, NormGradient::of_norm), x);
}

}  // namespace

Value matrix_for(Value x, Tensor& tensor) {
  const Value w = read_tensor(x.graph(), tensor, x.dtype());
  return reshape(w, {w.shape()[0], w.shape().count() / w.shape()[0]});
}

Value product_change(const AdaptedLayer& layer, Adapter& adapter, Value x) {
  const bool in_turn = adapter.product->type == AdapterType::lokr && layer.pointwise;
  return in_turn ? lokr_change(layer, adapter, x) : layer.by(x, change_matrix(layer, adapter, x));
}

Value trained_factors(const AdapterStack& stack, Value x) {
  const Adapter& first = *stack.parts.front();
  const Value whole = first.stack == &stack ? batched_factors(x.graph(), *first.dora) : Value{};
  const OutsideSegment kept(x.graph());
  return whole ? in_dtype_of_statistics(whole, x) : Value{};
}

Value trained_factor(Tensor& weight, Adapter& adapter, Value x) {
  Graph& graph = x.graph();
  const OutsideSegment kept(graph);  // it is small: recomputing the norm is not worth it
  DoraAdapter& dora = *adapter.dora;
  if (const Value batched = batched_factors(graph, dora)) {
    return in_dtype_of_statistics(own_factor(batched, adapter), x);
  }
  const bool wide = weight.dtype == DType::f64;
  const auto master = [&](Tensor& tensor) {
    return wide ? read_tensor(graph, tensor, DType::f64) : graph.use(tensor);
  };
  const Value squares = graph.use(dora.squares);
  const Value norm = dora_norm(
      {norm_operand(graph, weight), {}, master(adapter.down), master(adapter.up), squares},
      adapter.scale, dora.axis == DoraAxis::input);
  return in_dtype_of_statistics(dora_factor(master(dora.magnitude), norm, squares), x);
}

Value adapted(const AdaptedLayer& layer, Value x, Value bias, Value given) {
  const Value addend = with_training_adapters(layer, x, given);
  if (layer.adapter == nullptr || layer.adapter->off) {
    return layer.base(x, bias, addend);
  }
  Adapter& adapter = *layer.adapter;
  const Value dropped = dropout(x, adapter.dropout,
                                kAdapterDropoutStream + static_cast<std::uint32_t>(adapter.index));
  // One matrix for the change and for its norm.
  const Value matrix = adapter.product && adapter.dora ? change_matrix(layer, adapter, x) : Value{};
  const auto change_of = [&](Value from) {  // s·B·A·from
    if (adapter.product) {
      return matrix ? layer.by(from, matrix) : product_change(layer, adapter, from);
    }
    return low_rank_change(layer, adapter, from);
  };
  // The base's GEMM accumulates onto the change, rounded once: in the other order, changes below
  // half an ulp of the result would be lost.
  const auto with_change = [](Value onto, Value change) {
    return onto ? corrected(onto, change) : change;
  };
  if (adapter.factor) {
    const Value factor = fixed_factor(*adapter.factor, x);
    const Value onto = with_change(addend, change_of(x));
    if (adapter.factor->axis == DoraAxis::input) {
      return layer.base(scale_channels(x, factor), bias, onto);
    }
    return scale_channels(layer.base(x, bias, onto), factor, {.bias = bias, .addend = onto});
  }
  if (!adapter.dora) {
    return layer.base(x, bias, with_change(addend, change_of(dropped)));
  }
  const Value factor =
      matrix ? product_factor(layer, matrix, x) : trained_factor(*layer.weight, adapter, x);
  const bool drops = dropped.id() != x.id();
  if (adapter.dora->axis == DoraAxis::input) {
    const Value scaled = scale_channels(dropped, factor);
    const Value in = drops ? scale_channels(x, factor, {.v = dropped}) : scaled;
    return layer.base(in, bias, with_change(addend, change_of(scaled)));
  }
  const Value change = change_of(dropped);
  if (!drops) {
    // The sum's gradient reaches the addend only through the scaling.
    const Value z = layer.base(x, bias, with_change(addend ? detach(addend) : addend, change));
    return scale_channels(z, factor, {.bias = bias, .addend = addend});
  }
  const Value z = layer.base(x, bias, with_change(addend, change));
  return scale_channels(z, factor, {.v = layer.base(dropped, {}, change)});
}

}  // namespace mantissa
