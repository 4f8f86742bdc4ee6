#include "engine/nn/scope.h"

namespace mantissa {
namespace {

Part part_of(ModelPart part) {
  switch (part) {
    case ModelPart::unet:
      return Part::unet;
    case ModelPart::te1:
      return Part::te1;
    case ModelPart::te2:
      return Part::te2;
    case ModelPart::vae:
      break;
  }
  return Part::vae;
}

}  // namespace

Tensor& Scope::weight(std::string_view name, const Shape& shape, ModuleKind kind) const {
  weights_->note(path(), kind);
  const std::string full = (*this / name).path();
  if (adapters_ != nullptr) {
    if (Tensor* master = adapters_->request_weight(path(), full, part_of(part_), shape)) {
      weights_->require(full, shape);
      return *master;
    }
  }
  return weights_->frozen(full, shape, precision(kind).storage);
}

LoraAdapter* Scope::adapter(const Tensor& weight) const {
  if (adapters_ == nullptr || part_ == ModelPart::vae) {
    return nullptr;
  }
  const Part part = part_of(part_);
  return adapters_->request(std::string(adapter_prefix(part)) + "." + path_, part, weight);
}

}  // namespace mantissa
