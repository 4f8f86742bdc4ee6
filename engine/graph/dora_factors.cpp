// DoRA's factors of many layers and their magnitudes' gradients, each in one op: a step of a large
// model would else launch thousands of small kernels for them.
#include <memory>
#include <utility>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;
using Groups = std::vector<std::vector<DoraLayer>>;

std::int64_t channels_of(const DoraLayer& layer) {
  return layer.squares->shape.count();
}

double bytes_of(const Tensor& tensor) {
  return static_cast<double>(tensor.shape.count()) * static_cast<double>(dtype_size(tensor.dtype));
}

/// A layer's part of a group's values, which begins at channel `begin`.
View part_of(const View& values, std::int64_t begin, const DoraLayer& layer) {
  const auto bytes = begin * static_cast<std::int64_t>(dtype_size(values.dtype));
  return {values.as<std::byte>() + bytes, values.dtype, {channels_of(layer)}};
}

DoraNormArgs norm_args(const DoraLayer& layer) {
  DoraNormArgs args;
  args.weight = layer.weight->view();
  args.weight_scale = layer.weight->scale_view();
  args.down = layer.down->view();
  args.up = layer.up->view();
  args.squares = layer.squares->view();
  args.scale = layer.scale;
  args.per_input = layer.per_input;
  return args;
}

/// Adds to the gradients of all magnitudes, when the backward pass has reached the factors' op.
class AddMagnitudeGradientsOp final : public Op {
 public:
  // inputs: gradient of the factors, norm; for each of `groups`
  explicit AddMagnitudeGradientsOp(Groups groups) : groups_(std::move(groups)) {}
  const char* name() const override { return "add_magnitude_gradients"; }
  void run(Kernels& k, const Views& in, const Views&, const RunContext&) const override {
    std::vector<MagnitudeGradient> layers;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      std::int64_t begin = 0;
      for (const DoraLayer& layer : groups_[g]) {
        layers.push_back({part_of(in[2 * g], begin, layer), part_of(in[2 * g + 1], begin, layer),
                          layer.squares->view(), layer.magnitude->grad_view()});
        begin += channels_of(layer);
      }
    }
    k.add_magnitude_gradients(layers, kDoraLeastNorm);
    each([](const DoraLayer& layer) { layer.magnitude->tell_gradient_ready(); });
  }
  bool has_side_effect() const override { return true; }
  /// The first of them; all are on its device.
  const Tensor* adds_to() const override {
    return groups_.empty() ? nullptr : groups_[0][0].magnitude;
  }
  bool calls_host() const override {
    bool calls = false;
    each([&](const DoraLayer& layer) { calls = calls || layer.magnitude->awaits_gradient(); });
    return calls;
  }
  double other_bytes() const override {
    double sum = 0;  // the squares; the gradients are read and written
    each([&](const DoraLayer& layer) { sum += 3 * bytes_of(*layer.squares); });
    return sum;
  }

 private:
  template <typename F>
  void each(F&& f) const {
    for (const auto& group : groups_) {
      for (const DoraLayer& layer : group) {
        f(layer);
      }
    }
  }
  Groups groups_;
};

class DoraFactorsOp final : public Op {
 public:
  // inputs: every magnitude; outputs: factors, norms; for each group
  explicit DoraFactorsOp(Groups groups) : groups_(std::move(groups)) {}
  const char* name() const override { return "dora_factors"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    std::vector<DoraFactorArgs> layers;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      std::int64_t begin = 0;
      for (const DoraLayer& layer : groups_[g]) {
        layers.push_back({norm_args(layer), in[layers.size()],
                          part_of(out[2 * g + 1], begin, layer),
                          part_of(out[2 * g], begin, layer)});
        begin += channels_of(layer);
      }
    }
    k.dora_factors(layers, kDoraLeastNorm);
  }
  double other_bytes() const override {
    double sum = 0;
    for (const auto& group : groups_) {
      for (const DoraLayer& l : group) {
        sum += bytes_of(*l.weight) + bytes_of(*l.down) + bytes_of(*l.up) + bytes_of(*l.squares);
      }
    }
    return sum;
  }
  void backward(Backward& b) const override {
    Groups reached;
    std::vector<Value> inputs;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const int factors = 2 * static_cast<int>(g);
      if (b.grad(factors)) {
        reached.push_back(groups_[g]);
        inputs.push_back(b.grad(factors));
        inputs.push_back(b.output(factors + 1));
      }
    }
    b.graph().record(std::make_shared<AddMagnitudeGradientsOp>(std::move(reached)), inputs, {});
  }

 private:
  Groups groups_;
};

}  // namespace

std::vector<Value> dora_factors(Graph& graph, std::vector<std::vector<DoraLayer>> groups) {
  std::vector<Value> magnitudes;
  std::vector<OutputSpec> outputs;
  for (const auto& group : groups) {
    OutputSpec spec{{0}, group.at(0).squares->dtype};
    for (const DoraLayer& layer : group) {
      const Value magnitude = graph.use(*layer.magnitude);
      check_op(!layer.weight->streamed, "dora_factors", magnitude, "the weight is streamed");
      check_op(magnitude.dtype() == spec.dtype && layer.squares->dtype == spec.dtype &&
                   magnitude.shape() == layer.squares->shape &&
                   layer.magnitude->grad_dtype == spec.dtype,
               "dora_factors", magnitude,
               "magnitudes, their gradients and the squares must have one dtype and shape");
      magnitudes.push_back(magnitude);
      spec.shape[0] += channels_of(layer);
    }
    outputs.insert(outputs.end(), 2, spec);
  }
  const std::vector<Value> made =
      graph.record(std::make_shared<DoraFactorsOp>(std::move(groups)), magnitudes, outputs);
  std::vector<Value> factors;
  for (std::size_t i = 0; i < made.size(); i += 2) {
    factors.push_back(made[i]);
  }
  return factors;
}

}  // namespace mantissa
