// DoRA on one layer in fp64: gradients against central differences, values against W' written out.
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <tuple>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

struct LayerCase {
  const char* name;
  Shape weight, input;
  DoraAxis axis;
  float dropout = 0;
  bool bias = true, addend = true;
  ConvOptions conv{};
};

void PrintTo(const LayerCase& c, std::ostream* out) {
  *out << c.name;
}

std::vector<LayerCase> layer_cases() {
  const ConvOptions same{1, 1, 1, 1, 1}, strided{2, 1, 1, 1, 1};
  std::vector<LayerCase> all;
  for (DoraAxis axis : {DoraAxis::output, DoraAxis::input}) {
    const bool out = axis == DoraAxis::output;
    all.push_back({out ? "linear_output" : "linear_input", {5, 6}, {2, 3, 6}, axis});
    all.push_back(
        {out ? "linear_bare_output" : "linear_bare_input", {5, 6}, {4, 6}, axis, 0, false, false});
    all.push_back(
        {out ? "linear_dropout_output" : "linear_dropout_input", {5, 6}, {2, 3, 6}, axis, 0.3F});
    all.push_back({out ? "conv3x3_output" : "conv3x3_input",
                   {4, 3, 3, 3},
                   {1, 4, 5, 3},
                   axis,
                   0,
                   true,
                   true,
                   same});
    all.push_back({out ? "conv3x3_stride_dropout_output" : "conv3x3_stride_dropout_input",
                   {4, 3, 3, 3},
                   {1, 5, 4, 3},
                   axis,
                   0.3F,
                   true,
                   false,
                   strided});
    all.push_back({out ? "conv1x1_output" : "conv1x1_input", {4, 3, 1, 1}, {2, 2, 3, 3}, axis});
  }
  return all;
}

double test_value(std::uint64_t i) {
  return std::sin(static_cast<double>(i) * 12.9898 + 1.0) * 0.9;
}

/// A layer with fp64 weight, adapter and magnitudes.
class Layer {
 public:
  static constexpr int kRank = 2;

  /// With `batched`, its factor is computed as one of many layers'.
  explicit Layer(const LayerCase& c, bool batched = false) : case_(c) {
    const std::int64_t out = c.weight[0];
    Shape down = c.weight;
    down[0] = kRank;
    const Shape channels{dora_channels(c.weight, c.axis)};
    make(weight, c.weight, 1, false);
    make(bias, {out}, 2, false);
    make(adapter.down, down, 3, true);
    make(adapter.up, {out, kRank}, 4, true);
    adapter.rank = kRank;
    adapter.scale = 0.75F;
    adapter.dropout = c.dropout;
    adapter.weight = &weight;
    adapter.dora.emplace().axis = c.axis;
    adapter.dora->batch = batched ? &batch_ : nullptr;
    batch_.adapters = {&adapter};
    make(adapter.dora->magnitude, channels, 5, true);
    make(adapter.dora->squares, channels, 6, false);
    const std::vector<double> squares = channel_squares(values(weight));
    const std::vector<double> now = norms();
    for (std::size_t i = 0; i < squares.size(); ++i) {
      data(adapter.dora->squares)[i] = squares[i];
      data(adapter.dora->magnitude)[i] = now[i] * (1.0 + 0.3 * test_value(700 + i));
    }
  }

  static double* data(const Tensor& t) { return static_cast<double*>(t.data); }
  static std::vector<double> values(const Tensor& t) {
    return {data(t), data(t) + t.shape.count()};
  }

  /// Σ over all but the axis' channels.
  std::vector<double> channel_squares(const std::vector<double>& w) const {
    const std::int64_t out = case_.weight[0], k = case_.weight.count() / out;
    const std::int64_t area = k / case_.weight[1];
    std::vector<double> sums(static_cast<std::size_t>(dora_channels(case_.weight, case_.axis)),
                             0.0);
    for (std::int64_t i = 0; i < out * k; ++i) {
      const std::int64_t c = case_.axis == DoraAxis::output ? i / k : i % k / area;
      sums[static_cast<std::size_t>(c)] +=
          w[static_cast<std::size_t>(i)] * w[static_cast<std::size_t>(i)];
    }
    return sums;
  }
  /// W + scale·up·down.
  std::vector<double> v() const {
    const std::int64_t out = case_.weight[0], k = case_.weight.count() / out;
    std::vector<double> sum = values(weight);
    for (std::int64_t i = 0; i < out; ++i) {
      for (std::int64_t j = 0; j < k; ++j) {
        for (int r = 0; r < kRank; ++r) {
          sum[static_cast<std::size_t>(i * k + j)] +=
              0.75 * data(adapter.up)[i * kRank + r] * data(adapter.down)[r * k + j];
        }
      }
    }
    return sum;
  }
  std::vector<double> norms() const {
    std::vector<double> n = channel_squares(v());
    for (double& x : n) {
      x = std::sqrt(x);
    }
    return n;
  }
  /// W' = (m / n)∘V.
  std::vector<double> merged() const {
    const std::int64_t out = case_.weight[0], k = case_.weight.count() / out;
    const std::int64_t area = k / case_.weight[1];
    std::vector<double> w = v();
    const std::vector<double> n = norms();
    for (std::int64_t i = 0; i < out * k; ++i) {
      const auto c =
          static_cast<std::size_t>(case_.axis == DoraAxis::output ? i / k : i % k / area);
      w[static_cast<std::size_t>(i)] *= data(adapter.dora->magnitude)[c] / n[c];
    }
    return w;
  }

  LayerCase case_;
  Adapter adapter;
  Tensor weight, bias;

 private:
  void make(Tensor& tensor, const Shape& shape, std::uint64_t salt, bool trainable) {
    auto& values = storage_.emplace_back(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = test_value(1000 * salt + i);
    }
    tensor.name = "t" + std::to_string(salt);
    tensor.dtype = tensor.grad_dtype = DType::f64;
    tensor.shape = shape;
    tensor.data = values.data();
    tensor.trainable = trainable;
    tensor.grad = storage_.emplace_back(values.size()).data();
  }
  std::deque<std::vector<double>> storage_;
  DoraBatch batch_;
};

/// The layer recorded with a loss, and a run's results.
class Recorded {
 public:
  Recorded(Layer& layer, bool segment)
      : layer_(layer), kernels_(make_cpu_kernels(1)), arena_(*kernels_) {
    const LayerCase& c = layer.case_;
    Value x = graph_.input("x", DType::f64, c.input, true);
    if (segment) {
      graph_.begin_segment(SegmentScope::block);
    }
    AdaptedLayer spec{.weight = &layer.weight, .adapter = &layer.adapter};
    const bool conv = c.weight.rank() == 4 && c.weight[2] > 1;
    const auto product = [&](Value from, Tensor& weight, Value bias, Value plus) {
      const Value w = graph_.use(weight);
      return conv ? conv2d(from, w, bias, c.conv, plus)
                  : matmul(from, reshape(w, {w.shape()[0], w.shape()[1]}),
                           {.transpose_b = true, .bias = bias, .addend = plus});
    };
    spec.base = [&](Value from, Value bias, Value plus) {
      return product(from, layer.weight, bias, plus);
    };
    spec.down = [&](Value from, Tensor&) { return product(from, layer.adapter.down, {}, {}); };
    const Value bias = c.bias ? graph_.use(layer.bias) : Value{};
    const Shape shape = product(x, layer.weight, {}, {}).shape();
    Value addend;
    if (c.addend) {
      addend = graph_.input("addend", DType::f64, shape, true);
    }
    const Value y = adapted(spec, x, bias, addend);
    if (segment) {
      graph_.end_segment(SegmentScope::block);
    }
    graph_.output("y", y);
    const Value flat = reshape(y, {1, shape.count()});
    const Value loss = mse_loss(flat, graph_.input("target", DType::f64, flat.shape()),
                                graph_.input("weight", DType::f64, {1}))
                           .loss;
    graph_.output("loss", loss);
    graph_.backward(loss, segment);
    for (const char* name : {"x", "addend"}) {
      if (const auto it = graph_.inputs().find(name); it != graph_.inputs().end()) {
        graph_.output(std::string("d_") + name, graph_.gradient({&graph_, it->second}));
      }
    }
    plan_ = make_plan(graph_, {});
    executor_ = std::make_unique<Executor>(graph_, plan_, *kernels_, arena_);
  }

  double operator()(const char* moved = "", std::int64_t element = 0, double by = 0) {
    for (Tensor* t : {&layer_.adapter.down, &layer_.adapter.up, &layer_.adapter.dora->magnitude}) {
      std::fill_n(static_cast<double*>(t->grad), t->shape.count(), 0.0);
    }
    std::uint64_t salt = 20;
    for (const char* name : {"x", "addend", "target", "weight"}) {
      ++salt;
      if (!executor_->has_input(name)) {
        continue;
      }
      const View v = executor_->input(name);
      for (std::int64_t i = 0; i < v.count(); ++i) {
        v.as<double>()[i] = std::string_view(name) == "weight"
                                ? 1.5
                                : test_value(1000 * salt + static_cast<std::uint64_t>(i));
      }
      if (std::string_view(name) == moved) {
        v.as<double>()[element] += by;
      }
    }
    executor_->run({5, 3});
    return *executor_->output("loss").as<double>();
  }
  std::vector<double> output(const char* name) const {
    const View v = executor_->output(name);
    return {v.as<double>(), v.as<double>() + v.count()};
  }
  static std::vector<double> gradient(const Tensor& t) {
    const auto* g = static_cast<const double*>(t.grad);
    return {g, g + t.shape.count()};
  }

 private:
  Layer& layer_;
  std::unique_ptr<Kernels> kernels_;
  Graph graph_;
  Plan plan_;
  Arena arena_;
  std::unique_ptr<Executor> executor_;
};

class DoraLayer : public ::testing::TestWithParam<LayerCase> {};

class DoraGradients : public ::testing::TestWithParam<std::tuple<LayerCase, bool>> {};

TEST_P(DoraGradients, MatchCentralDifferencesWithTheNormHeld) {
  const auto& [form, batched] = GetParam();
  Layer layer(form, batched);
  Recorded run(layer, false), recomputed(layer, true);
  constexpr double kStep = 1e-5;
  Tensor& magnitude = layer.adapter.dora->magnitude;
  for (Tensor* tensor : {&layer.adapter.down, &layer.adapter.up, &magnitude}) {
    run();
    const std::vector<double> analytic = Recorded::gradient(*tensor);
    recomputed();
    EXPECT_EQ(analytic, Recorded::gradient(*tensor)) << "checkpointing changes the gradient";
    double largest = 0;
    for (double g : analytic) {
      largest = std::max(largest, std::abs(g));
    }
    ASSERT_GT(largest, 0);
    for (std::size_t i = 0; i < analytic.size(); ++i) {
      const auto loss_at = [&](double by) {
        const std::vector<double> before = layer.norms(), kept = Layer::values(magnitude);
        Layer::data(*tensor)[i] += by;
        const std::vector<double> after = layer.norms();
        // m / n must not change with the factors: n is detached.
        for (std::size_t c = 0; tensor != &magnitude && c < kept.size(); ++c) {
          Layer::data(magnitude)[c] *= after[c] / before[c];
        }
        const double loss = run();
        if (tensor != &magnitude) {
          std::copy(kept.begin(), kept.end(), Layer::data(magnitude));
        }
        Layer::data(*tensor)[i] -= by;
        return loss;
      };
      const double numeric = (loss_at(kStep) - loss_at(-kStep)) / (2 * kStep);
      EXPECT_NEAR(analytic[i], numeric, 1e-8 + 2e-6 * largest) << tensor->name << " " << i;
    }
  }
  for (const char* name : {"x", "addend"}) {
    if (name[0] == 'a' && !form.addend) {
      continue;
    }
    run();
    const std::vector<double> analytic = run.output(name[0] == 'x' ? "d_x" : "d_addend");
    for (std::size_t i = 0; i < analytic.size(); ++i) {
      const auto e = static_cast<std::int64_t>(i);
      const double numeric = (run(name, e, kStep) - run(name, e, -kStep)) / (2 * kStep);
      EXPECT_NEAR(analytic[i], numeric, 1e-7) << name << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, DoraGradients,
                         ::testing::Combine(::testing::ValuesIn(layer_cases()), ::testing::Bool()),
                         [](const auto& info) {
                           return std::get<0>(info.param).name +
                                  std::string(std::get<1>(info.param) ? "_batched" : "");
                         });

TEST_P(DoraLayer, TheFactorOfABatchIsItsOwnToTheBit) {
  Layer alone(GetParam()), batched(GetParam(), true);
  Recorded one(alone, false), many(batched, false);
  EXPECT_EQ(one(), many());
  EXPECT_EQ(one.output("y"), many.output("y"));
  EXPECT_EQ(Recorded::gradient(alone.adapter.dora->magnitude),
            Recorded::gradient(batched.adapter.dora->magnitude));
}

TEST_P(DoraLayer, EqualsTheMergedWeight) {
  if (GetParam().dropout > 0) {
    GTEST_SKIP() << "dropout has no merged weight";
  }
  Layer layer(GetParam());
  Recorded run(layer, false);
  run();
  const std::vector<double> got = run.output("y");
  // The same layer without an adapter, on W' itself.
  const std::vector<double> merged = layer.merged();
  std::copy(merged.begin(), merged.end(), Layer::data(layer.weight));
  std::fill_n(Layer::data(layer.adapter.up), layer.adapter.up.shape.count(), 0.0);
  const std::vector<double> norms = layer.norms();
  std::copy(norms.begin(), norms.end(), Layer::data(layer.adapter.dora->magnitude));
  for (std::size_t i = 0; i < norms.size(); ++i) {
    Layer::data(layer.adapter.dora->squares)[i] = norms[i] * norms[i];
  }
  run();
  const std::vector<double> want = run.output("y");
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 1e-12) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, DoraLayer, ::testing::ValuesIn(layer_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mantissa
