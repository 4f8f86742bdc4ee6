#include "engine/nn/norms.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Scales and shifts are fp32 (fp64), even if trained as 16-bit masters.
Value parameter(Graph& graph, Tensor& tensor) {
  return read_tensor(graph, tensor, tensor.dtype == DType::f64 ? DType::f64 : DType::f32);
}

}  // namespace

GroupNorm::GroupNorm(const Scope& scope, std::int64_t channels, int groups, double eps)
    : path_(scope.path()),
      gamma_(&scope.weight("weight", {channels}, ModuleKind::norm)),
      beta_(&scope.weight("bias", {channels}, ModuleKind::norm)),
      groups_(groups),
      eps_(static_cast<float>(eps)) {}

Value GroupNorm::run(Value x, bool silu) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  return group_norm(x, parameter(graph, *gamma_), parameter(graph, *beta_), groups_, eps_, silu);
}

LayerNorm::LayerNorm(const Scope& scope, std::int64_t width, double eps)
    : path_(scope.path()),
      gamma_(&scope.weight("weight", {width}, ModuleKind::norm)),
      beta_(&scope.weight("bias", {width}, ModuleKind::norm)),
      eps_(static_cast<float>(eps)) {}

Value LayerNorm::operator()(Value x) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  return layer_norm(x, parameter(graph, *gamma_), parameter(graph, *beta_), eps_);
}

RmsNorm::RmsNorm(const Scope& scope, std::int64_t width, double eps, RmsWeight form)
    : path_(scope.path()),
      gamma_(&scope.weight("weight", {width}, ModuleKind::norm)),
      eps_(static_cast<float>(eps)),
      unit_offset_(form == RmsWeight::offset) {}

Value RmsNorm::operator()(Value x) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  return rms_norm(x, parameter(graph, *gamma_), eps_, unit_offset_);
}

Value RmsNorm::of_heads(Value x) const {
  const Shape shape = x.shape(), &head = gamma_->shape;
  return reshape((*this)(reshape(x, {shape[0], shape.count() / (shape[0] * head[0]), head[0]})),
                 shape);
}

}  // namespace mantissa
