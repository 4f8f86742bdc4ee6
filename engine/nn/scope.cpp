#include "engine/nn/scope.h"

namespace mantissa {
Tensor& Scope::weight(std::string_view name, const Shape& shape, ModuleKind kind) const {
  weights_->note(path(), kind);
  const std::string full = (*this / name).path();
  if (adapters_ != nullptr) {
    if (Tensor* master = adapters_->request_weight(path(), full, part_, shape)) {
      weights_->require(full, shape);
      return *master;
    }
  }
  return weights_->frozen(full, shape, precision(kind).storage);
}

Adapter* Scope::adapter(const Tensor& weight) const {
  if (adapters_ == nullptr || part_ == kVae) {
    return nullptr;
  }
  return adapters_->request(path(), part_, weight);
}

LayerChanges* Scope::training_changes(const Tensor& weight, DType compute) const {
  if (adapters_ == nullptr || part_ == kVae) {
    return nullptr;
  }
  return adapters_->training_changes(path(), part_, weight, compute);
}

}  // namespace mantissa
