#pragma once

#include <string>
#include <string_view>

#include "engine/adapters/adapter_set.h"
#include "engine/io/part_names.h"
#include "engine/nn/fp8_scales.h"
#include "engine/nn/weight_store.h"
#include "engine/precision/rules.h"

namespace mantissa {

/// A place in a model's tree while it is bound: joins names, hands out weights with their shape
/// checked and their dtype by the precision rules, and asks the adapter set about a path.
/// Independent of any graph.
class Scope {
 public:
  /// `adapters` may be null; without `rules` everything is fp32. What is pointed to must outlive
  /// the binding; `scales` also the model.
  Scope(WeightStore& weights, AdapterSet* adapters, Part part,
        const PrecisionRules* rules = nullptr, Fp8Scales* scales = nullptr)
      : weights_(&weights), adapters_(adapters), part_(part), rules_(rules), scales_(scales) {}

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
  /// Dtypes of the module at this place.
  ModulePrecision precision(ModuleKind kind) const {
    return rules_ == nullptr ? ModulePrecision{} : rules_->of(path(), kind);
  }
  /// The weight `name` below this place: a master where it is trained itself, else frozen and
  /// stored as this place's modules of that kind are.
  Tensor& weight(std::string_view name, const Shape& shape, ModuleKind kind) const;
  /// What activations of this part are stored in, and what it takes and gives at its borders.
  DType activations() const { return rules_ == nullptr ? DType::f32 : rules_->activations(path()); }
  DType border() const { return activations() == DType::f64 ? DType::f64 : DType::f32; }
  /// Where delayed FP8 scaling keeps what it has seen of this module; empty otherwise.
  Fp8State fp8_state() const {
    return scales_ == nullptr || rules_ == nullptr || !rules_->delayed_scaling()
               ? Fp8State{}
               : scales_->layer(path());
  }
  bool has(std::string_view name) const { return weights_->contains((*this / name).path()); }
  /// The adapter on this module, null where there is none: in the VAE always. `weight` is its
  /// matrix [out, in(, kh, kw)].
  LoraAdapter* adapter(const Tensor& weight) const;
  Part part() const { return part_; }

 private:
  WeightStore* weights_;
  AdapterSet* adapters_;
  Part part_;
  const PrecisionRules* rules_;
  Fp8Scales* scales_;
  std::string path_;
};

}  // namespace mantissa
