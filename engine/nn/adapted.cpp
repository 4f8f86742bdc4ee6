#include "engine/nn/adapted.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// onto + change, dithered. A change is small relative to its addend: nearest rounding would always
/// drop most of it.
Value corrected(Value onto, Value change) {
  return scale_channels(onto, {}, {.v = change});
}

}  // namespace

Value trained_factor(Tensor& weight, LoraAdapter& adapter, Value x) {
  Graph& graph = x.graph();
  const OutsideSegment kept(graph);  // it is small: recomputing the norm is not worth it
  DoraAdapter& dora = *adapter.dora;
  const bool wide = weight.dtype == DType::f64;
  const auto master = [&](Tensor& tensor) {
    return wide ? read_tensor(graph, tensor, DType::f64) : graph.use(tensor);
  };
  const Value squares = graph.use(dora.squares);
  const Value norm =
      dora_norm({graph.use(weight), {}, master(adapter.down), master(adapter.up), squares},
                adapter.scale, dora.axis == DoraAxis::input);
  const Value factor = dora_factor(master(dora.magnitude), norm, squares);
  return cast(factor, x.dtype() == DType::f64 ? DType::f64 : DType::f32);
}

Value adapted(const AdaptedLayer& layer, Value x, Value bias, Value addend) {
  if (layer.adapter == nullptr) {
    return layer.base(x, bias, addend);
  }
  Graph& graph = x.graph();
  LoraAdapter& adapter = *layer.adapter;
  const Value dropped = dropout(x, adapter.dropout,
                                kAdapterDropoutStream + static_cast<std::uint32_t>(adapter.index));
  const auto change_of = [&](Value from) {  // s·B·A·from
    const Value h = layer.down(from);
    const Value up = read_tensor(graph, adapter.up, h.dtype());
    return matmul(h, reshape(up, {up.shape()[0], up.shape()[1]}),
                  {.transpose_b = true, .alpha = adapter.scale, .tf32 = layer.tf32});
  };
  // The base's GEMM accumulates onto the change, rounded once: in the other order, changes below
  // half an ulp of the result would be lost.
  const auto with_change = [](Value onto, Value change) {
    return onto ? corrected(onto, change) : change;
  };
  if (adapter.factor) {
    const Value factor =
        cast(graph.use(adapter.factor->factor), x.dtype() == DType::f64 ? DType::f64 : DType::f32);
    const Value onto = with_change(addend, change_of(x));
    if (adapter.factor->axis == DoraAxis::input) {
      return layer.base(scale_channels(x, factor), bias, onto);
    }
    return scale_channels(layer.base(x, bias, onto), factor, {.bias = bias, .addend = onto});
  }
  if (!adapter.dora) {
    return layer.base(x, bias, with_change(addend, change_of(dropped)));
  }
  const Value factor = trained_factor(*layer.weight, adapter, x);
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
