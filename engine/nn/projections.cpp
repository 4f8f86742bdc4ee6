#include "engine/nn/projections.h"

#include <algorithm>
#include <span>

#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"

namespace mantissa {

Projections::Projections(const Scope& scope, std::vector<Linear> layers,
                         const std::vector<Run>& runs)
    : path_(scope.path()), layers_(std::move(layers)) {
  for (const Run& run : runs) {
    Joint joint{.run = run};
    std::vector<Tensor*> weights, biases;
    std::vector<Adapter*> adapters;
    for (int i = run.first; i < run.first + run.count; ++i) {
      const Linear& layer = layers_[static_cast<std::size_t>(i)];
      weights.push_back(layer.weight_);
      biases.push_back(layer.bias_);
      adapters.push_back(layer.adapter_);
    }
    const auto all = [](const auto& list) {
      return std::ranges::none_of(list, [](const auto* one) { return one == nullptr; });
    };
    joint.weight = scope.stack(weights);
    joint.bias = all(biases) ? scope.stack(biases) : nullptr;
    joint.adapters = all(adapters) ? scope.stack(adapters) : nullptr;
    joints_.push_back(joint);
  }
}

/// The layer's adapter, null if it has none or it is off.
const Adapter* active_adapter(const Adapter* adapter) {
  return adapter == nullptr || adapter->off ? nullptr : adapter;
}

/// The rule for joining layers: their weights are adjacent (WeightStore::stack: of one dtype,
/// frozen, not streamed) or in blocks, which are decoded for each; they compute in the same dtypes,
/// and either none has an adapter or all have one of the same rank and scale (AdapterSet::stack).
/// Delayed scales are each layer's own, dropout draws for each adapter, DoRA per input scales x for
/// each layer, and training adapters differ from layer to layer: these stay separate.
bool Projections::may_join(const Joint& joint) const {
  const Linear& first = layers_[static_cast<std::size_t>(joint.run.first)];
  const bool biased = first.bias_ != nullptr, adapted = active_adapter(first.adapter_) != nullptr;
  bool alike = (joint.weight != nullptr || in_blocks(joint)) && (joint.bias != nullptr) == biased &&
               (joint.adapters != nullptr || !adapted);
  for (int i = joint.run.first; alike && i < joint.run.first + joint.run.count; ++i) {
    const Linear& layer = layers_[static_cast<std::size_t>(i)];
    const Adapter* adapter = active_adapter(layer.adapter_);
    alike = layer.precision_.compute == first.precision_.compute &&
            layer.precision_.tf32 == first.precision_.tf32 &&
            layer.precision_.codes == first.precision_.codes && shares_scales(layer.fp8_) &&
            (layer.beside_ == nullptr || !*layer.beside_->active) &&
            (layer.bias_ != nullptr) == biased && (adapter != nullptr) == adapted &&
            (!adapted || (adapter->dropout == 0 && !adapter->factor &&
                          adapter->dora.has_value() == first.adapter_->dora.has_value() &&
                          (!adapter->dora || adapter->dora->axis == DoraAxis::output)));
  }
  return alike;
}

bool Projections::in_blocks(const Joint& joint) const {
  const auto layers = std::span(layers_).subspan(static_cast<std::size_t>(joint.run.first),
                                                 static_cast<std::size_t>(joint.run.count));
  return std::ranges::all_of(layers,
                             [](const Linear& layer) { return is_blocked(layer.weight_->dtype); });
}

std::vector<Value> Projections::operator()(Value x, Run run) const {
  for (const Joint& joint : joints_) {
    if (joint.run.first == run.first && joint.run.count == run.count && may_join(joint)) {
      return together(x, joint);
    }
  }
  std::vector<Value> results;
  for (int i = run.first; i < run.first + run.count; ++i) {
    results.push_back(layers_[static_cast<std::size_t>(i)](x));
  }
  return results;
}

/// DoRA's factors of every layer, side by side.
Value Projections::factors(Value x, const Joint& joint) const {
  if (const Value whole = trained_factors(*joint.adapters, x)) {
    return whole;
  }
  const OutsideSegment kept(x.graph());
  std::vector<Value> list;
  for (int i = joint.run.first; i < joint.run.first + joint.run.count; ++i) {
    const Linear& layer = layers_[static_cast<std::size_t>(i)];
    x.graph().set_path(layer.path_);
    list.push_back(trained_factor(*layer.weight_, *layer.adapter_, x));
  }
  x.graph().set_path(path_);
  return join_channels(list);
}

Value Projections::products(Value x, const Joint& joint, Value bias, Value addend) const {
  const Linear& first = layers_[static_cast<std::size_t>(joint.run.first)];
  if (first.precision_.codes) {
    return linear_codes(x, *joint.weight, bias, addend, {});
  }
  const bool tf32 = first.precision_.tf32;
  if (joint.weight != nullptr) {
    return matmul(x, matrix_for(x, *joint.weight),
                  {.transpose_b = true, .tf32 = tf32, .bias = bias, .addend = addend});
  }
  std::vector<Value> weights;
  for (int i = joint.run.first; i < joint.run.first + joint.run.count; ++i) {
    weights.push_back(matrix_for(x, *layers_[static_cast<std::size_t>(i)].weight_));
  }
  return linears(x, weights, bias, addend, tf32);
}

std::vector<Value> Projections::together(Value x, const Joint& joint) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  const Linear& first = layers_[static_cast<std::size_t>(joint.run.first)];
  const Value in = cast(x, first.precision_.compute);
  const MatmulArgs args{.transpose_b = true, .tf32 = first.precision_.tf32};
  Value change;  // s·B·A·x of every layer, side by side
  const Adapter* adapter = active_adapter(first.adapter_);
  if (adapter != nullptr) {
    AdapterStack& stack = *joint.adapters;
    const Value h = matmul(in, matrix_for(in, stack.down), args);  // [.., layers·rank]
    MatmulArgs up = args;
    up.alpha = adapter->scale;
    up.blocks = joint.run.count;
    change = matmul(h, matrix_for(in, stack.up), up);
  }
  const Value bias = joint.bias != nullptr ? read_tensor(graph, *joint.bias, in.dtype()) : Value{};
  Value y = products(in, joint, bias, change);
  if (adapter != nullptr && adapter->dora) {
    y = scale_channels(y, factors(in, joint), {.bias = bias});
  }
  std::vector<Value> results = split_channels(cast(y, x.dtype()), joint.run.count);
  for (std::size_t i = 0; i < results.size(); ++i) {
    graph.set_path(results[i], layers_[static_cast<std::size_t>(joint.run.first) + i].path_);
  }
  return results;
}

}  // namespace mantissa
