#include "engine/nn/scope.h"

namespace mantissa {

LoraAdapter* Scope::adapter(const Tensor& weight) const {
  if (adapters_ == nullptr || part_ == ModelPart::vae) {
    return nullptr;
  }
  const Part part = part_ == ModelPart::unet  ? Part::unet
                    : part_ == ModelPart::te1 ? Part::te1
                                              : Part::te2;
  return adapters_->request(std::string(adapter_prefix(part)) + "." + path_, part, weight);
}

}  // namespace mantissa
