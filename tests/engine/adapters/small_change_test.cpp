// An adapter's change below half an ulp of its addend is preserved on average.
#include <cmath>
#include <deque>
#include <gtest/gtest.h>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "engine/nn/adapted.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

struct Form {
  const char* name;
  bool dora, addend;
};

void PrintTo(const Form& form, std::ostream* out) {
  *out << form.name;
}

constexpr std::int64_t kSide = 64;  ///< inputs, outputs and rows

/// A BF16 layer whose adapter adds `change` to each of its 64 × 64 outputs, most of them above 1.
class ChangedLayer {
 public:
  ChangedLayer(const Form& form, double change) {
    make(weight_, DType::bf16, {kSide, kSide});
    make(adapter_.down, DType::f32, {1, kSide});
    make(adapter_.up, DType::f32, {kSide, 1});
    adapter_.rank = 1;
    adapter_.scale = 1;
    adapter_.weight = &weight_;
    auto* weight = static_cast<bfloat16*>(weight_.data);
    for (std::int64_t i = 0; i < kSide * kSide; ++i) {
      weight[i] = bfloat16(static_cast<float>(std::sin(12.9898 * static_cast<double>(i) + 1)));
    }
    static_cast<float*>(adapter_.down.data)[0] = 1;  // the first input is 1 in every row
    for (std::int64_t i = 0; i < kSide; ++i) {
      static_cast<float*>(adapter_.up.data)[i] = static_cast<float>(change);
    }
    if (form.dora) {
      add_magnitudes();
    }
  }

  std::vector<float> outputs(const Form& form) {
    const auto kernels = make_cpu_kernels(1);
    Graph graph;
    const Value x = graph.input("x", DType::bf16, {kSide, kSide});
    const Value addend = form.addend ? graph.input("addend", DType::bf16, {kSide, kSide}) : Value{};
    AdaptedLayer layer{.weight = &weight_, .adapter = &adapter_};
    layer.base = [&](Value from, Value bias, Value plus) {
      return matmul(from, graph.use(weight_), {.transpose_b = true, .bias = bias, .addend = plus});
    };
    layer.down = [&](Value from, Tensor& matrix) {
      return matmul(from, read_tensor(graph, matrix, from.dtype()), {.transpose_b = true});
    };
    graph.output("y", cast(adapted(layer, x, {}, addend), DType::f32));
    const Plan plan = make_plan(graph, {});
    Arena arena(*kernels);
    Executor executor(graph, plan, *kernels, arena);
    for (const char* name : {"x", "addend"}) {
      if (!executor.has_input(name)) {
        continue;
      }
      const View view = executor.input(name);
      for (std::int64_t i = 0; i < view.count(); ++i) {
        const double value = name[0] == 'x' && i % kSide == 0
                                 ? 1
                                 : 4 * std::sin(78.233 * static_cast<double>(i) + name[0]);
        view.as<bfloat16>()[i] = bfloat16(static_cast<float>(value));
      }
    }
    executor.run({5, 3});
    const View y = executor.output("y");
    return {y.as<float>(), y.as<float>() + y.count()};
  }

 private:
  /// The norms of the changed weight, so that the factor is 1.
  void add_magnitudes() {
    adapter_.dora.emplace().axis = DoraAxis::output;
    make(adapter_.dora->magnitude, DType::f32, {kSide});
    make(adapter_.dora->squares, DType::f32, {kSide});
    for (std::int64_t row = 0; row < kSide; ++row) {
      double before = 0, after = 0;
      for (std::int64_t i = 0; i < kSide; ++i) {
        const double w = static_cast<float>(static_cast<bfloat16*>(weight_.data)[row * kSide + i]);
        const double change = i == 0 ? static_cast<float*>(adapter_.up.data)[row] : 0;
        before += w * w;
        after += (w + change) * (w + change);
      }
      static_cast<float*>(adapter_.dora->squares.data)[row] = static_cast<float>(before);
      static_cast<float*>(adapter_.dora->magnitude.data)[row] =
          static_cast<float>(std::sqrt(after));
    }
  }
  void make(Tensor& tensor, DType dtype, const Shape& shape) {
    tensor.name = "t" + std::to_string(storage_.size());
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.data = storage_.emplace_back(static_cast<std::size_t>(shape.count()), 0.0F).data();
  }

  std::deque<std::vector<float>> storage_;  ///< 4 bytes per element, for any type
  Adapter adapter_;
  Tensor weight_;
};

class SmallChange : public ::testing::TestWithParam<Form> {};

TEST_P(SmallChange, IsKeptOnAverage) {
  constexpr double kChange = 1e-3;  // half an ulp between 1 and 2 is 3.9e-3
  const std::vector<float> without = ChangedLayer(GetParam(), 0).outputs(GetParam());
  const std::vector<float> with = ChangedLayer(GetParam(), kChange).outputs(GetParam());
  double sum = 0;
  int above = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    sum += static_cast<double>(with[i]) - static_cast<double>(without[i]);
    above += std::abs(without[i]) > 1 ? 1 : 0;
  }
  ASSERT_GT(above, static_cast<int>(with.size()) / 2);
  // Each sum moves by a whole ulp or not at all: the mean's standard deviation is about 6e-5.
  EXPECT_NEAR(sum / static_cast<double>(with.size()), kChange, 0.3 * kChange);
}

INSTANTIATE_TEST_SUITE_P(Forms, SmallChange,
                         ::testing::Values(Form{"lora", false, false},
                                           Form{"lora_and_addend", false, true},
                                           Form{"dora", true, false},
                                           Form{"dora_and_addend", true, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mantissa
