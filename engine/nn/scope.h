#pragma once
// defines: Scope

#include <string>
#include <string_view>

#include "engine/adapters/adapter_set.h"
#include "engine/nn/weight_store.h"

namespace mantissa {

/// A place in a model's tree while it is bound: joins names, hands out weights with their shape
/// checked, and asks the adapter set about a path. Independent of any graph.
class Scope {
 public:
  /// `adapters` may be null. `storage` is the dtype frozen matrices are kept in.
  Scope(WeightStore& weights, AdapterSet* adapters, ModelPart part, DType storage = DType::f32)
      : weights_(&weights), adapters_(adapters), part_(part), storage_(storage) {}

  Scope operator/(std::string_view name) const {
    Scope inner = *this;
    if (!path_.empty()) {
      inner.path_ += '.';
    }
    inner.path_ += name;
    return inner;
  }
  Scope operator/(int index) const { return *this / std::to_string(index); }

  /// "unet.down_blocks.0.resnets.1": part, then canonical path.
  std::string path() const {
    std::string full(part_name(part_));
    if (!path_.empty()) {
      full.append(1, '.').append(path_);
    }
    return full;
  }
  /// The weight `name` below this place, in the storage dtype.
  Tensor& weight(std::string_view name, const Shape& shape) const {
    return weights_->frozen((*this / name).path(), shape, storage_);
  }
  /// Scales and shifts of norms stay in fp32 when matrices are narrower.
  Tensor& norm_weight(std::string_view name, const Shape& shape) const {
    return weights_->frozen((*this / name).path(), shape,
                            storage_ == DType::f64 ? DType::f64 : DType::f32);
  }
  bool has(std::string_view name) const { return weights_->contains((*this / name).path()); }
  /// The adapter on this module, null where there is none. `weight` as [out, in(, kh, kw)].
  LoraAdapter* adapter(const Shape& weight) const;
  ModelPart part() const { return part_; }
  DType storage() const { return storage_; }

 private:
  WeightStore* weights_;
  AdapterSet* adapters_;
  ModelPart part_;
  DType storage_;
  std::string path_;
};

}  // namespace mantissa
