// LoHa and LoKr and their DoRA forms on one layer in fp64: gradients against central differences,
// values against the weight written out.
#include <cmath>
#include <deque>
#include <gtest/gtest.h>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

struct LayerCase {
  const char* name;
  AdapterType type;
  Shape weight, input;
  int rank;
  int factor = -1;
  float dropout = 0;
  bool slice = false;  ///< the input is one half of a wider tensor
  ConvOptions conv{1, 1, 1, 1, 1};
  std::optional<DoraAxis> dora = {};
};

LayerCase with(LayerCase c, const char* name, DoraAxis axis) {
  c.name = name;
  c.dora = axis;
  return c;
}

void PrintTo(const LayerCase& c, std::ostream* out) {
  *out << c.name;
}

std::vector<LayerCase> layer_cases() {
  using enum AdapterType;
  std::vector<LayerCase> all{
      {"loha_linear", loha, {5, 6}, {2, 3, 6}, 2},
      {"loha_dropout", loha, {5, 6}, {2, 3, 6}, 2, -1, 0.3F},
      {"loha_slice", loha, {5, 6}, {2, 3, 6}, 2, -1, 0, true},
      {"loha_conv3x3", loha, {4, 3, 3, 3}, {1, 4, 5, 3}, 2},
      {"loha_conv3x3_stride", loha, {4, 3, 3, 3}, {1, 5, 4, 3}, 2, -1, 0, false, {2, 1, 1, 1, 1}},
      {"loha_conv1x1", loha, {4, 3, 1, 1}, {2, 2, 3, 3}, 2},
      {"lokr_linear", lokr, {15, 12}, {2, 3, 12}, 1},
      {"lokr_whole", lokr, {6, 12}, {2, 3, 12}, 8},
      {"lokr_factor", lokr, {20, 12}, {2, 3, 12}, 1, 2},
      {"lokr_prime", lokr, {7, 6}, {2, 3, 6}, 2},
      {"lokr_dropout", lokr, {15, 12}, {2, 3, 12}, 1, -1, 0.3F},
      {"lokr_slice", lokr, {15, 12}, {2, 3, 12}, 1, -1, 0, true},
      {"lokr_conv3x3", lokr, {15, 4, 3, 3}, {1, 4, 5, 4}, 1},
      {"lokr_conv3x3_whole", lokr, {6, 4, 3, 3}, {1, 4, 5, 4}, 4},
      {"lokr_conv3x3_stride", lokr, {15, 4, 3, 3}, {1, 5, 4, 4}, 1, -1, 0, false, {2, 1, 1, 1, 1}},
      {"lokr_conv1x1", lokr, {15, 4, 1, 1}, {2, 2, 3, 4}, 1},
  };
  const auto plain = [&](std::string_view name) {
    return *std::ranges::find(all, name, &LayerCase::name);
  };
  const std::vector<LayerCase> decomposed{
      with(plain("loha_linear"), "loha_linear_dora", DoraAxis::output),
      with(plain("loha_linear"), "loha_linear_dora_input", DoraAxis::input),
      with(plain("loha_dropout"), "loha_dropout_dora", DoraAxis::output),
      with(plain("loha_dropout"), "loha_dropout_dora_input", DoraAxis::input),
      with(plain("loha_conv3x3"), "loha_conv3x3_dora", DoraAxis::output),
      with(plain("loha_conv3x3"), "loha_conv3x3_dora_input", DoraAxis::input),
      with(plain("loha_conv1x1"), "loha_conv1x1_dora", DoraAxis::output),
      with(plain("lokr_linear"), "lokr_linear_dora", DoraAxis::output),
      with(plain("lokr_linear"), "lokr_linear_dora_input", DoraAxis::input),
      with(plain("lokr_whole"), "lokr_whole_dora", DoraAxis::output),
      with(plain("lokr_conv3x3"), "lokr_conv3x3_dora", DoraAxis::output),
      with(plain("lokr_conv3x3_whole"), "lokr_conv3x3_whole_dora_input", DoraAxis::input),
      with(plain("lokr_conv3x3_stride"), "lokr_conv3x3_stride_dora_input", DoraAxis::input),
  };
  all.insert(all.end(), decomposed.begin(), decomposed.end());
  return all;
}

double test_value(std::uint64_t i) {
  return std::sin(static_cast<double>(i) * 12.9898 + 1.0) * 0.9;
}

double* data(const Tensor& t) {
  return static_cast<double*>(t.data);
}

/// A layer with fp64 weight and factors.
struct Layer {
  explicit Layer(const LayerCase& c) : form(c) {
    make(weight, c.weight, 1, false);
    make(bias, {c.weight[0]}, 2, false);
    adapter.rank = c.rank;
    adapter.scale = 0.75F;
    adapter.dropout = c.dropout;
    adapter.shape = c.weight;
    adapter.product.emplace().type = c.type;
    const auto factors = product_factors(c.type, c.weight, c.rank, c.factor);
    adapter.product->members.resize(factors.size());
    for (std::size_t i = 0; i < factors.size(); ++i) {
      adapter.product->members[i].role = factors[i].role;
      make(adapter.product->members[i].tensor, factors[i].shape, 3 + i, true);
    }
    if (c.dora) {
      const Shape channels{dora_channels(c.weight, *c.dora)};
      adapter.weight = &weight;
      adapter.dora.emplace().axis = *c.dora;
      make(adapter.dora->magnitude, channels, 8, true);
      make(adapter.dora->squares, channels, 9, false);
      const std::vector<double> squares = channel_squares(false), changed = channel_squares(true);
      for (std::size_t i = 0; i < squares.size(); ++i) {
        data(adapter.dora->squares)[i] = squares[i];
        data(adapter.dora->magnitude)[i] = std::sqrt(changed[i]) * (1 + 0.3 * test_value(700 + i));
      }
    }
  }

  /// ‖W_i‖², or ‖W_i + dW_i‖², by channel of the case's axis.
  std::vector<double> channel_squares(bool with_change) {
    std::vector<double> sums(static_cast<std::size_t>(dora_channels(form.weight, *form.dora)));
    for (std::int64_t i = 0; i < form.weight.count(); ++i) {
      const double v = data(weight)[i] + (with_change ? change(i / columns(), i % columns()) : 0);
      sums[channel(i)] += v * v;
    }
    return sums;
  }
  std::int64_t columns() const { return form.weight.count() / form.weight[0]; }
  std::size_t channel(std::int64_t i) const {
    return static_cast<std::size_t>(*form.dora == DoraAxis::output
                                        ? i / columns()
                                        : i % columns() / (columns() / form.weight[1]));
  }
  /// W', in place of W.
  void merge() {
    std::vector<double> factors;
    if (form.dora) {
      factors = channel_squares(true);
      for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] = data(adapter.dora->magnitude)[i] / std::sqrt(factors[i]);
      }
    }
    for (std::int64_t i = 0; i < form.weight.count(); ++i) {
      const double v = data(weight)[i] + change(i / columns(), i % columns());
      data(weight)[i] = form.dora ? factors[channel(i)] * v : v;
    }
  }
  std::vector<const Tensor*> trained() const {
    std::vector<const Tensor*> list;
    for (const ProductAdapter::Member& member : adapter.product->members) {
      list.push_back(&member.tensor);
    }
    if (adapter.dora) {
      list.push_back(&adapter.dora->magnitude);
    }
    return list;
  }

  void make(Tensor& tensor, const Shape& shape, std::uint64_t salt, bool trainable) {
    auto& values = storage.emplace_back(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = test_value(1000 * salt + i);
    }
    tensor.name = "t" + std::to_string(salt);
    tensor.dtype = tensor.grad_dtype = DType::f64;
    tensor.shape = shape;
    tensor.data = values.data();
    tensor.trainable = trainable;
    tensor.grad = storage.emplace_back(values.size()).data();
  }

  /// a·b at row i, column j.
  static double product(const Tensor& a, const Tensor& b, std::int64_t i, std::int64_t j) {
    const std::int64_t rank = a.shape[1], cols = b.shape.count() / rank;
    double sum = 0;
    for (std::int64_t r = 0; r < rank; ++r) {
      sum += data(a)[i * rank + r] * data(b)[r * cols + j];
    }
    return sum;
  }
  /// scale·dW at row i, column j of [out, in·area], by the definition.
  double change(std::int64_t i, std::int64_t j) {
    using enum AdapterRole;
    ProductAdapter& p = *adapter.product;
    const auto s = static_cast<double>(adapter.scale);
    if (p.type == AdapterType::loha) {
      return s * product(*p.find(hada_w1_a), *p.find(hada_w1_b), i, j) *
             product(*p.find(hada_w2_a), *p.find(hada_w2_b), i, j);
    }
    const Tensor& w1 = *p.find(lokr_w1);
    const Tensor* whole = p.find(lokr_w2);
    const std::int64_t out = form.weight[0], cols = form.weight.count() / out;
    const std::int64_t c = out / w1.shape[0], d = cols / w1.shape[1];
    const double one = data(w1)[i / c * w1.shape[1] + j / d];
    return s * one *
           (whole != nullptr ? data(*whole)[i % c * d + j % d]
                             : product(*p.find(lokr_w2_a), *p.find(lokr_w2_b), i % c, j % d));
  }

  LayerCase form;
  Adapter adapter;
  Tensor weight, bias;
  std::deque<std::vector<double>> storage;
};

/// The layer recorded with a loss, and a run's results. `merged`: with W + dW instead.
class Recorded {
 public:
  Recorded(Layer& layer, bool segment, bool merged = false)
      : layer_(layer), kernels_(make_cpu_kernels(1)), arena_(*kernels_) {
    const LayerCase& c = layer.form;
    Shape fed = c.input;
    if (c.slice) {
      fed[fed.rank() - 1] *= 2;
    }
    Value x = graph_.input("x", DType::f64, fed, true);
    if (segment) {
      graph_.begin_segment(SegmentScope::block);
    }
    const Value in = c.slice ? split_channels(x, 2)[1] : x;
    const bool conv = c.weight.rank() == 4 && c.weight[2] > 1;
    const auto multiplied = [&](Value from, Value w, Value bias, Value plus) {
      return conv ? conv2d(from, reshape(w, c.weight), bias, c.conv, plus)
                  : matmul(from, reshape(w, {c.weight[0], c.weight[1]}),
                           {.transpose_b = true, .bias = bias, .addend = plus});
    };
    AdaptedLayer spec{
        .weight = &layer.weight, .adapter = merged ? nullptr : &layer.adapter, .pointwise = !conv};
    spec.base = [&](Value from, Value bias, Value plus) {
      return multiplied(from, graph_.use(layer.weight), bias, plus);
    };
    spec.by = [&](Value from, Value w) { return multiplied(from, w, {}, {}); };
    const Value y = adapted(spec, in, graph_.use(layer.bias), {});
    if (segment) {
      graph_.end_segment(SegmentScope::block);
    }
    graph_.output("y", y);
    const Value flat = reshape(y, {1, y.shape().count()});
    const Value loss = mse_loss(flat, graph_.input("target", DType::f64, flat.shape()),
                                graph_.input("weight", DType::f64, {1}))
                           .loss;
    graph_.output("loss", loss);
    graph_.backward(loss, segment);
    graph_.output("d_x", graph_.gradient(x));
    plan_ = make_plan(graph_, {});
    executor_ = std::make_unique<Executor>(graph_, plan_, *kernels_, arena_);
  }

  double operator()(std::int64_t element = 0, double by = 0) {
    for (const Tensor* tensor : layer_.trained()) {
      std::fill_n(static_cast<double*>(tensor->grad), tensor->shape.count(), 0.0);
    }
    std::uint64_t salt = 20;
    for (const char* name : {"x", "target", "weight"}) {
      ++salt;
      const View v = executor_->input(name);
      for (std::int64_t i = 0; i < v.count(); ++i) {
        v.as<double>()[i] = std::string_view(name) == "weight"
                                ? 1.5
                                : test_value(1000 * salt + static_cast<std::uint64_t>(i));
      }
    }
    executor_->input("x").as<double>()[element] += by;
    executor_->run({5, 3});
    return *executor_->output("loss").as<double>();
  }
  std::vector<double> output(const char* name) const {
    const View v = executor_->output(name);
    return {v.as<double>(), v.as<double>() + v.count()};
  }

 private:
  Layer& layer_;
  std::unique_ptr<Kernels> kernels_;
  Graph graph_;
  Plan plan_;
  Arena arena_;
  std::unique_ptr<Executor> executor_;
};

std::vector<double> gradient(const Tensor& t) {
  const auto* g = static_cast<const double*>(t.grad);
  return {g, g + t.shape.count()};
}

class ProductLayer : public ::testing::TestWithParam<LayerCase> {};

TEST_P(ProductLayer, GradientsMatchCentralDifferences) {
  Layer layer(GetParam());
  Recorded run(layer, false), recomputed(layer, true);
  constexpr double kStep = 1e-5;
  for (const Tensor* one : layer.trained()) {
    const Tensor& tensor = *one;
    run();
    const std::vector<double> analytic = gradient(tensor);
    recomputed();
    EXPECT_EQ(analytic, gradient(tensor)) << "checkpointing changes the gradient";
    double largest = 0;
    for (double g : analytic) {
      largest = std::max(largest, std::abs(g));
    }
    ASSERT_GT(largest, 0);
    for (std::size_t i = 0; i < analytic.size(); ++i) {
      const auto loss_at = [&](double by) {
        data(tensor)[i] += by;
        const double loss = run();
        data(tensor)[i] -= by;
        return loss;
      };
      const double numeric = (loss_at(kStep) - loss_at(-kStep)) / (2 * kStep);
      EXPECT_NEAR(analytic[i], numeric, 1e-8 + 2e-6 * largest) << tensor.name << " " << i;
    }
  }
  run();
  const std::vector<double> analytic = run.output("d_x");
  for (std::size_t i = 0; i < analytic.size(); ++i) {
    const auto e = static_cast<std::int64_t>(i);
    EXPECT_NEAR(analytic[i], (run(e, kStep) - run(e, -kStep)) / (2 * kStep), 1e-7) << "x " << i;
  }
}

TEST_P(ProductLayer, EqualsTheMergedWeight) {
  if (GetParam().dropout > 0) {
    GTEST_SKIP() << "dropout has no merged weight";
  }
  Layer layer(GetParam());
  Recorded adapter(layer, false);
  adapter();
  layer.merge();
  Recorded merged(layer, false, true);
  merged();
  const std::vector<double> got = adapter.output("y"), want = merged.output("y");
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 1e-12 * (1 + std::abs(want[i]))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, ProductLayer, ::testing::ValuesIn(layer_cases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace mantissa
