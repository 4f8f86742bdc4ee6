#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/adapters/adapter_set.h"
#include "engine/io/module_path.h"
#include "engine/nn/fp8_scales.h"
#include "engine/nn/weight_store.h"
#include "engine/precision/rules.h"

namespace mantissa {

/// A node in a model's tree during binding: joins names, returns weights with checked shapes in the
/// precision rules' dtype, and looks up adapters by path. Independent of any graph.
class Scope {
 public:
  /// `adapters` may be null; without `rules` everything is fp32. Pointers must outlive the binding;
  /// `scales` also the model.
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

  /// The node's path: "denoiser.down_blocks.0.resnets.1".
  std::string path() const { return module_path(part_, path_); }
  /// Dtypes of the module at this node.
  ModulePrecision precision(ModuleKind kind) const {
    return rules_ == nullptr ? ModulePrecision{} : rules_->of(path(), kind);
  }
  /// The weight `name` below this node: a master weight if it is trained itself, else frozen and
  /// stored as this node's modules of that kind are.
  Tensor& weight(std::string_view name, const Shape& shape, ModuleKind kind) const;
  /// Storage dtype of this part's activations, inputs and outputs.
  DType activations() const { return rules_ == nullptr ? DType::f32 : rules_->activations(path()); }
  DType border() const { return activations() == DType::f64 ? DType::f64 : DType::f32; }
  /// This module's delayed FP8 scaling state; empty otherwise.
  Fp8State fp8_state() const {
    return scales_ == nullptr || rules_ == nullptr || !rules_->delayed_scaling()
               ? Fp8State{}
               : scales_->layer(path());
  }
  bool has(std::string_view name) const { return weights_->contains((*this / name).path()); }
  /// The adapter on this module, null if there is none (always in the VAE). `weight` is its matrix
  /// [out, in(, kh, kw)].
  Adapter* adapter(const Tensor& weight) const;
  /// The vectors of new words beside this node's table of tokens, null if there are none.
  Tensor* words(std::int64_t width) const {
    return adapters_ == nullptr ? nullptr : adapters_->request_words(path(), part_, width);
  }
  /// What training adapters change in this module, null if nothing; `compute`: the dtype of its
  /// product.
  LayerChanges* training_changes(const Tensor& weight, DType compute) const;
  Part part() const { return part_; }
  /// See WeightStore::stack and AdapterSet::stack.
  Tensor* stack(std::span<Tensor* const> weights) const { return weights_->stack(weights); }
  AdapterStack* stack(std::span<Adapter* const> adapters) const {
    return adapters_ == nullptr ? nullptr : adapters_->stack(adapters);
  }

 private:
  WeightStore* weights_;
  AdapterSet* adapters_;
  Part part_;
  const PrecisionRules* rules_;
  Fp8Scales* scales_;
  std::string path_;
};

}  // namespace mantissa
