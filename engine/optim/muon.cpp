#include "engine/optim/muon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/graph/device_values.h"
#include "engine/optim/optimizer_base.h"

namespace mantissa {
namespace {

constexpr int kIterations = 5;
/// The quintic a·x + b·x³ + c·x⁵ of Jordan's post, steep at zero.
constexpr float kA = 3.4445F, kB = -4.7750F, kC = 2.0315F;

/// Largest sizes over all matrices: of a matrix, and of its smaller Gram matrix.
struct Sizes {
  std::int64_t matrix = 0, gram = 0;
};

Sizes largest(std::span<const OptimizerTensor> tensors) {
  Sizes sizes;
  for (const OptimizerTensor& t : tensors) {
    if (is_matrix(t)) {
      const std::int64_t side = std::min(t.rows, t.cols);
      sizes.matrix = std::max(sizes.matrix, t.count());
      sizes.gram = std::max(sizes.gram, side * side);
    }
  }
  return sizes;
}

class Muon final : public OptimizerBase {
 public:
  Muon(Kernels& kernels, const OptimizerSettings& settings, std::vector<OptimizerTensor> tensors)
      : OptimizerBase(kernels, settings, std::move(tensors)) {
    const Sizes sizes = largest(tensors_);
    for (int i = 0; i < 2 && sizes.matrix > 0; ++i) {
      x_.emplace_back(kernels, Shape{sizes.matrix});
      gram_.emplace_back(kernels, Shape{sizes.gram});
    }
    std::int64_t loose = 0;
    for (const OptimizerTensor& t : tensors_) {
      loose_.push_back(loose);
      loose += is_matrix(t) ? 0 : t.count();
    }
  }

  void apply() override {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      apply_tensor(i);
    }
  }
  void apply_tensor(std::size_t index) override {
    if (is_matrix(tensors_[index])) {
      move_matrix(index);
    } else {
      move_loose(index);
    }
  }

 private:
  GroupCell numbers_of(std::int64_t update) const override { return adam_numbers(update); }

  /// The update over the learning rate, for a matrix whose singular values are about 1.
  double scale_of(const OptimizerTensor& t) const {
    const auto rows = static_cast<double>(t.rows), cols = static_cast<double>(t.cols);
    return settings_.muon_scaling == MuonScaling::match_rms_adamw
               ? 0.2 * std::sqrt(std::max(rows, cols))
               : std::sqrt(std::max(1.0, rows / cols));
  }

  void move_matrix(std::size_t index) {
    const OptimizerTensor& t = tensors_[index];
    const Shape shape{t.rows, t.cols};
    View x(x_[0].view().data, DType::f32, shape), other(x_[1].view().data, DType::f32, shape);
    MuonUpdate start;
    start.gradient = part_of(inputs_.gradients, index);
    start.m = buffers_.moment("exp_avg", index);
    start.direction = x;
    start.first = t.first();
    MuonOptions o;
    o.beta1 = settings_.beta1;
    o.grad_scale = inputs_.grad_scale;
    o.key = rounding_key();
    o.cell = inputs_.cell;
    kernels_.muon_direction({&start, 1}, o);
    for (int i = 0; i < kIterations; ++i) {
      iterate(x, other);
      std::swap(x, other);
    }
    ParameterUpdate u = update_of(index);
    u.gradient = x;
    u.factor = scale_of(t);
    step({&u, 1}, UpdateRule::direction);
  }

  /// out = a·x + (b·G + c·G²)·x, G = x·xᵀ; of a tall matrix the same from the right.
  void iterate(const View& x, const View& out) {
    const bool tall = x.rows() > x.cols();
    const std::int64_t side = std::min(x.rows(), x.cols());
    const View gram(gram_[0].view().data, DType::f32, {side, side}),
        polynomial(gram_[1].view().data, DType::f32, {side, side});
    MatmulOptions product;
    product.tf32 = settings_.tf32;
    product.transpose_a = tall;
    product.transpose_b = !tall;
    kernels_.matmul(x, x, {}, gram, product);
    MatmulOptions square;
    square.tf32 = settings_.tf32;
    square.alpha = kC;
    square.beta = kB;
    square.addend = gram;
    kernels_.matmul(gram, gram, {}, polynomial, square);
    MatmulOptions move;
    move.tf32 = settings_.tf32;
    move.beta = kA;
    move.addend = x;
    kernels_.matmul(tall ? x : polynomial, tall ? polynomial : x, {}, out, move);
  }

  void move_loose(std::size_t index) {
    ParameterUpdate u = update_of(index);
    u.v = {buffers_.slice("square", loose_[index], tensors_[index].count()), {}};
    step({&u, 1}, UpdateRule::adamw);
  }

  void step(std::span<const ParameterUpdate> tensors, UpdateRule rule) {
    UpdateOptions o;
    o.rule = rule;
    o.beta1 = settings_.beta1;
    o.beta2 = settings_.beta2;
    set_common(o);
    set_corrections(o);
    kernels_.optimizer_step(tensors, o);
  }

  std::vector<DeviceArray> x_, gram_;  ///< of the largest matrix, two each
  std::vector<std::int64_t> loose_;    ///< offset of each tensor among the non-matrices
};

}  // namespace

std::unique_ptr<Optimizer> make_muon(Kernels& kernels, const OptimizerSettings& settings,
                                     std::vector<OptimizerTensor> tensors) {
  return std::make_unique<Muon>(kernels, settings, std::move(tensors));
}

std::uint64_t muon_scratch_bytes(std::span<const OptimizerTensor> tensors) {
  const Sizes sizes = largest(tensors);
  return 2 * static_cast<std::uint64_t>(sizes.matrix + sizes.gram) * sizeof(float);
}

}  // namespace mantissa
