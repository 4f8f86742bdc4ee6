#include "engine/nn/adapted.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// f = m / n in the dtype of statistics of `x`. Outside of any checkpointing segment: it is small,
/// and the norm is not worth computing twice.
Value trained_factor(const AdaptedLayer& layer, Value x) {
  Graph& graph = x.graph();
  const OutsideSegment kept(graph);
  LoraAdapter& adapter = *layer.adapter;
  DoraAdapter& dora = *adapter.dora;
  const bool wide = layer.weight->dtype == DType::f64;
  const auto master = [&](Tensor& tensor) {
    return wide ? read_tensor(graph, tensor, DType::f64) : graph.use(tensor);
  };
  const Value squares = graph.use(dora.squares);
  const Value norm =
      dora_norm({graph.use(*layer.weight), {}, master(adapter.down), master(adapter.up), squares},
                adapter.scale, dora.axis == DoraAxis::input);
  const Value factor = dora_factor(master(dora.magnitude), norm, squares);
  return cast(factor, x.dtype() == DType::f64 ? DType::f64 : DType::f32);
}

}  // namespace

Value adapted(const AdaptedLayer& layer, Value x, Value bias, Value addend) {
  if (layer.adapter == nullptr) {
    return layer.base(x, bias, addend);
  }
  Graph& graph = x.graph();
  LoraAdapter& adapter = *layer.adapter;
  const Value dropped = dropout(x, adapter.dropout,
                                kAdapterDropoutStream + static_cast<std::uint32_t>(adapter.index));
  const auto raise = [&](Value h, Value onto) {
    const Value up = read_tensor(graph, adapter.up, h.dtype());
    return matmul(
        h, reshape(up, {up.shape()[0], up.shape()[1]}),
        {.transpose_b = true, .alpha = adapter.scale, .tf32 = layer.tf32, .addend = onto});
  };
  if (adapter.factor) {
    const Value factor =
        cast(graph.use(adapter.factor->factor), x.dtype() == DType::f64 ? DType::f64 : DType::f32);
    if (adapter.factor->axis == DoraAxis::input) {
      return raise(layer.down(x), layer.base(scale_channels(x, factor), bias, addend));
    }
    const Value y = layer.base(x, bias, addend);
    return raise(layer.down(x), scale_channels(y, factor, {.bias = bias, .addend = addend}));
  }
  if (!adapter.dora) {
    return raise(layer.down(dropped), layer.base(x, bias, addend));
  }
  const Value factor = trained_factor(layer, x);
  const bool drops = dropped.id() != x.id();
  if (adapter.dora->axis == DoraAxis::input) {
    const Value scaled = scale_channels(dropped, factor);
    const Value in = drops ? scale_channels(x, factor, {.v = dropped}) : scaled;
    return raise(layer.down(scaled), layer.base(in, bias, addend));
  }
  const Value h = layer.down(dropped);
  if (!drops) {
    // The sum's gradient reaches the addend through the scaling alone.
    const Value z = raise(h, layer.base(x, bias, addend ? detach(addend) : addend));
    return scale_channels(z, factor, {.bias = bias, .addend = addend});
  }
  const Value z = raise(h, layer.base(x, bias, addend));
  return scale_channels(z, factor, {.v = raise(h, layer.base(dropped, {}, {}))});
}

}  // namespace mantissa
