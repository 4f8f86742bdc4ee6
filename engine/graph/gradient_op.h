#pragma once

#include "engine/graph/graph.h"

namespace mantissa {

/// Accumulates a term into Tensor::grad, and calls gradient_ready after the last.
class GradientOp : public Op {
 public:
  explicit GradientOp(const GradientTerm& term) : term_(term) {}
  void run(Kernels& kernels, const std::vector<View>& in, const std::vector<View>&,
           const RunContext&) const final {
    Tensor& tensor = *term_.tensor;
    add_onto(View(tensor.grad, tensor.grad_dtype, term_.shape), kernels, in);
    if (term_.last) {
      tensor.tell_gradient_ready();
    }
  }
  bool has_side_effect() const final { return true; }
  const Tensor* adds_to() const final { return term_.tensor; }
  bool calls_host() const final { return term_.last && term_.tensor->awaits_gradient(); }
  /// Shape and dtype of the gradient that is accumulated into.
  const Shape& shape() const { return term_.shape; }
  DType dtype() const { return term_.tensor->grad_dtype; }

 protected:
  virtual void add_onto(const View& sum, Kernels& kernels, const std::vector<View>& in) const = 0;

 private:
  GradientTerm term_;
};

}  // namespace mantissa
