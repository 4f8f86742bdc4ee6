// Products of codes in forward and backward, of one layer and of several together.
#include <bit>
#include <cmath>
#include <tuple>

#include "kernels/rotation.h"
#include "kernels/weight_codes.h"
#include "tests/engine/graph/coded_weight.h"

namespace mantissa {
namespace {

using testing_support::CodedWeight;
using testing_support::kIn;
using testing_support::kOut;
using testing_support::kRows;
using testing_support::product;
using testing_support::QuantGraph;
using testing_support::relative_error;
using testing_support::wave;

TEST_F(QuantGraph, Fp8LinearFollowsTheUnroundedProduct) {
  Graph& graph = *owner;
  CodedWeight w(*kernels);
  const Value x = graph.input("x", DType::bf16, {kRows, kIn}, true);
  close(linear_codes(x, w.tensor, {}, {}, {}));
  graph.output("d_x", graph.gradient(x));
  const std::vector<float> in = wave(kRows * kIn, 3.0F, 0.0F), d = wave(kRows * kOut, 1e-4F, 2.0F);
  run(in, d);
  // E4M3 leaves 31.6 dB, E5M2 25.6 dB: 2.6 % and 5.2 %.
  EXPECT_LT(relative_error(read("y"), product(in, w.values, false)), 0.04);
  EXPECT_LT(relative_error(read("d_x"), product(d, w.values, true)), 0.08);
}

/// Rows [.., cols] of bf16 as FP8 with their own scales, times `factor`, if any, while they are
/// encoded.
template <typename Code>
std::vector<float> fp8_rows(std::vector<float> values, std::int64_t cols, const float* factor) {
  for (std::size_t row = 0; row < values.size(); row += static_cast<std::size_t>(cols)) {
    float most = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(cols); ++i) {
      float& value = values[row + i];
      value = static_cast<float>(bfloat16(value)) * (factor != nullptr ? factor[i] : 1.0F);
      most = std::max(most, std::fabs(value));
    }
    const float scale = most / CodeFormat<Code>::kMax;
    for (std::size_t i = 0; i < static_cast<std::size_t>(cols); ++i) {
      const std::uint8_t code = CodeFormat<Code>::encode(values[row + i] * (1.0F / scale));
      values[row + i] = static_cast<float>(std::bit_cast<Code>(code)) * scale /
                        (factor != nullptr ? factor[i] : 1.0F);
    }
  }
  return values;
}

TEST_F(QuantGraph, Fp8LinearIsTheProductOfItsCodes) {
  Graph& graph = *owner;
  CodedWeight w(*kernels);
  const Value x = graph.input("x", DType::bf16, {kRows, kIn}, true);
  close(linear_codes(x, w.tensor, {}, {}, {}));
  graph.output("d_x", graph.gradient(x));
  std::vector<float> in = wave(kRows * kIn, 3.0F, 0.0F), d = wave(kRows * kOut, 1e-4F, 2.0F);
  for (std::size_t i = 0; i < kIn; ++i) {
    in[2 * kIn + i] *= 1e-5F;  // a token and a gradient of another magnitude
  }
  for (std::size_t i = 0; i < kOut; ++i) {
    d[3 * kOut + i] *= 1e-5F;
  }
  run(in, d);
  const std::vector<float> in_codes = fp8_rows<float8_e4m3>(in, kIn, nullptr);
  const std::vector<float> d_codes = fp8_rows<float8_e5m2>(d, kOut, w.tensor.scale);
  for (const std::int64_t row : {0, 2, 3}) {
    const auto of_row = [row](const auto& values) {
      const auto cols = std::ssize(values) / kRows;
      const auto begin = values.begin() + row * cols;
      return std::vector(begin, begin + cols);
    };
    EXPECT_LT(relative_error(of_row(read("y")), of_row(product(in_codes, w.values, false))),
              0x1p-8);
    EXPECT_LT(relative_error(of_row(read("d_x")), of_row(product(d_codes, w.values, true))),
              0x1p-8);
  }
}

// One scale serves the gradients of several layers: E5M2 has an exponent for each value.
TEST_F(QuantGraph, ASmallGradientIsKeptBesideALargeOne) {
  std::vector<float> d = wave(2 * kOut, 1e-3F, 2.0F);
  for (std::size_t i = kOut; i < d.size(); ++i) {
    d[i] *= 3e4F;
  }
  const std::vector<float> kept = fp8_rows<float8_e5m2>(d, 2 * kOut, nullptr);
  EXPECT_LT(relative_error({kept.begin(), kept.begin() + kOut}, {d.begin(), d.begin() + kOut}),
            0.08);
}

// The codes themselves, with the same scales, multiplied in fp64: int8's sums are exact.
class Int8Linear : public QuantGraph,
                   public ::testing::WithParamInterface<std::tuple<DType, DType>> {
 protected:
  const DType codes = std::get<0>(GetParam()), between = std::get<1>(GetParam());
  /// Least size of gradients: fp16 has them scaled.
  const float small = between == DType::f16 ? 10.0F : 1e-4F;
};

TEST_P(Int8Linear, IsTheProductOfItsCodes) {
  Graph& graph = *owner;
  CodedWeight w(*kernels, codes);
  const bool rotated = codes == DType::i8_rotated;
  const Value x = graph.input("x", between, {kRows, kIn}, true);
  close(linear_codes(x, w.tensor, {}, {}, {}));
  graph.output("d_x", graph.gradient(x));
  std::vector<float> in = wave(kRows * kIn, 3.0F, 0.0F), d = wave(kRows * kOut, small, 2.0F);
  for (std::size_t i = 0; i < kIn; ++i) {
    in[2 * kIn + i] *= 1e-3F;  // a token and a gradient of another magnitude
  }
  for (std::size_t i = 0; i < kOut; ++i) {
    d[3 * kOut + i] *= 1e-3F;
  }
  run(in, d);
  const auto as_read = [&](float v) {
    return between == DType::f16 ? static_cast<float>(float16(v)) : static_cast<float>(bfloat16(v));
  };
  std::transform(in.begin(), in.end(), in.begin(), as_read);
  std::transform(d.begin(), d.end(), d.begin(), as_read);
  // Rows as int8 with their own scales; in the backward pass, of d·s.
  const auto rounded = [&](const std::vector<float>& values, std::int64_t cols, const float* s) {
    std::vector<float> result = values;
    for (std::size_t r = 0; r < values.size(); r += static_cast<std::size_t>(cols)) {
      float most = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(cols); ++i) {
        result[r + i] *= s != nullptr ? s[i] : 1.0F;
        most = std::max(most, std::fabs(result[r + i]));
      }
      const float scale = most / 127;
      for (std::size_t i = 0; i < static_cast<std::size_t>(cols); ++i) {
        result[r + i] = std::nearbyint(result[r + i] * (1.0F / scale)) * scale;
        result[r + i] /= s != nullptr ? s[i] : 1.0F;
      }
    }
    return result;
  };
  const auto turn = [&](std::vector<float>& values) {
    if (rotated) {
      rotate_groups(values.data(), std::ssize(values), rotation_group(kIn));
    }
  };
  std::vector<float> in_codes = in;
  turn(in_codes);
  in_codes = rounded(in_codes, kIn, nullptr);
  turn(in_codes);
  const std::vector<float> d_codes = rounded(d, kOut, w.tensor.scale);
  EXPECT_EQ(executor->output("y").dtype, between);
  const double rounding = between == DType::f16 ? 0x1p-11 : 0x1p-8;
  EXPECT_LT(relative_error(read("y"), product(in_codes, w.values, false)), rounding);
  EXPECT_LT(relative_error(read("d_x"), product(d_codes, w.values, true)), rounding);
  // And close to the product without rounding, for every row alone.
  const auto row_errors = [&](const std::vector<float>& got, const std::vector<double>& exact) {
    const std::size_t cols = exact.size() / kRows;
    double worst = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto at = static_cast<std::ptrdiff_t>(r * cols);
      const auto end = at + static_cast<std::ptrdiff_t>(cols);
      worst = std::max(worst, relative_error({got.begin() + at, got.begin() + end},
                                             {exact.begin() + at, exact.begin() + end}));
    }
    return worst;
  };
  EXPECT_LT(row_errors(read("y"), product(in, w.values, false)), 0.02);
  EXPECT_LT(row_errors(read("d_x"), product(d, w.values, true)), 0.02);
}

TEST_P(Int8Linear, IsTheSameWhenItIsRecomputed) {
  std::vector<std::vector<float>> gradients;
  for (const bool checkpointing : {false, true}) {
    executor.reset();
    owner = std::make_unique<Graph>();
    Graph& graph = *owner;
    CodedWeight w(*kernels, codes);
    const Value x = graph.input("x", between, {kRows, kIn}, true);
    Value y;
    {
      const Segment segment(graph);
      y = silu(linear_codes(silu(x), w.tensor, {}, {}, {}));
    }
    close(y, checkpointing);
    graph.output("d_x", graph.gradient(x));
    run(wave(kRows * kIn, 3.0F, 0.0F), wave(kRows * kOut, small, 2.0F));
    gradients.push_back(read("d_x"));
  }
  EXPECT_EQ(gradients[0], gradients[1]);
}

INSTANTIATE_TEST_SUITE_P(Types, Int8Linear,
                         ::testing::Combine(::testing::Values(DType::i8, DType::i8_rotated),
                                            ::testing::Values(DType::bf16, DType::f16)),
                         [](const auto& info) {
                           return std::string(dtype_name(std::get<0>(info.param))) + "_in_" +
                                  std::string(dtype_name(std::get<1>(info.param)));
                         });

TEST_F(QuantGraph, LinearLayersOfCodesAddBiasAndResidualInTheSamePass) {
  for (const DType type : {DType::f8_e4m3, DType::i8}) {
    executor.reset();
    owner = std::make_unique<Graph>();
    Graph& graph = *owner;
    CodedWeight w(*kernels, type);
    const Value x = graph.input("x", DType::bf16, {kRows, kIn}, true);
    const Value bias = constant(graph, DType::bf16, {kOut}, 0.5F);
    const Value residual = constant(graph, DType::bf16, {kRows, kOut}, 2.0F);
    close(linear_codes(x, w.tensor, bias, residual, {}));
    const std::vector<float> zero(kRows * kIn, 0.0F);
    run(zero, wave(kRows * kOut, 1.0F, 2.0F));
    EXPECT_EQ(read("y"), std::vector<float>(kRows * kOut, 2.5F));
  }
}

TEST_F(QuantGraph, LinearsAreTheProductsOfEachSideBySide) {
  Graph& graph = *owner;
  const std::vector<float> values = wave(3 * kOut * kIn, 1.0F, 0.3F);
  const std::vector<float> biases = wave(3 * kOut, 1.0F, 0.7F);
  const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
  Tensor whole{.name = "w", .shape = {3 * kOut, kIn}, .data = const_cast<float*>(values.data())};
  Tensor bias{.name = "b", .shape = {3 * kOut}, .data = const_cast<float*>(biases.data())};
  std::vector<Tensor> parts{whole, whole};
  parts[0].shape = {kOut, kIn};
  parts[1].shape = {2 * kOut, kIn};
  parts[1].data = const_cast<float*>(values.data()) + kOut * kIn;
  const Value addend = constant(graph, DType::f32, {kRows, 3 * kOut}, 2.0F);
  const Value b = graph.use(bias);
  graph.output("one",
               matmul(x, graph.use(whole), {.transpose_b = true, .bias = b, .addend = addend}));
  close(linears(x, {graph.use(parts[0]), graph.use(parts[1])}, b, addend, false));
  run(wave(kRows * kIn, 1.0F, 0.0F), wave(kRows * 3 * kOut, 1.0F, 2.0F));
  EXPECT_EQ(read("y"), read("one"));
}

// A joined product multiplies and encodes as each layer by itself, also where the layers' gradients
// differ in size; in FP8 they share the scales of their rows.
TEST_F(QuantGraph, SeveralLayersOfCodesAreThoseOfEach) {
  constexpr std::int64_t kLayers = 3;
  for (const DType type : {DType::f8_e4m3, DType::i8, DType::i8_rotated}) {
    std::vector<float> d(kRows * kLayers * kOut);
    for (std::size_t i = 0; i < d.size(); ++i) {
      const std::size_t layer = i % (kLayers * kOut) / kOut;
      d[i] = std::sin(static_cast<float>(i)) * (layer == 0 ? 1e-3F : layer == 1 ? 1.0F : 30.0F);
    }
    std::vector<std::vector<float>> outputs, gradients;
    for (const bool together : {true, false}) {
      executor.reset();
      owner = std::make_unique<Graph>();
      Graph& graph = *owner;
      CodedWeight w(*kernels, type, kLayers);
      const Value x = graph.input("x", DType::bf16, {kRows, kIn}, true);
      if (together) {
        close(silu(linear_codes(x, w.tensor, {}, {}, {})));
      } else {  // the last one's gradient comes first
        std::vector<Value> y(kLayers);
        for (std::size_t i = kLayers; i-- > 0;) {
          y[i] = silu(linear_codes(x, w.layers[i], {}, {}, {}));
        }
        close(join_channels(y));
      }
      graph.output("d_x", graph.gradient(x));
      run(wave(kRows * kIn, 3.0F, 0.0F), d);
      outputs.push_back(read("y"));
      gradients.push_back(read("d_x"));
    }
    EXPECT_EQ(outputs[0], outputs[1]);
    if (type != DType::i8) {  // rotated, one rotation of the sum
      EXPECT_LT(relative_error(gradients[0], {gradients[1].begin(), gradients[1].end()}), 0.01);
    } else {
      EXPECT_EQ(gradients[0], gradients[1]);
    }
  }
}

// Q6: recomputation for the backward pass rounds as the first time, and the state of delayed
// scaling doesn't change within a step.
TEST_F(QuantGraph, DelayedScalingIsTheSameWhenALayerIsRecomputed) {
  std::vector<std::vector<float>> gradients;
  for (const bool checkpointing : {false, true}) {
    executor.reset();
    owner = std::make_unique<Graph>();
    Graph& graph = *owner;
    CodedWeight w(*kernels);
    std::vector<float> input{0.004F, 0.0F}, gradient{1e-6F, 0.0F};
    Tensor in_state{.name = "i", .shape = {2}, .data = input.data()};
    Tensor grad_state{.name = "g", .shape = {2}, .data = gradient.data()};
    const Value x = graph.input("x", DType::bf16, {kRows, kIn}, true);
    Value y;
    {
      const Segment segment(graph);
      y = silu(linear_codes(silu(x), w.tensor, {}, {}, {&in_state, &grad_state}));
    }
    close(y, checkpointing);
    graph.output("d_x", graph.gradient(x));
    run(wave(kRows * kIn, 3.0F, 0.0F), wave(kRows * kOut, 1e-4F, 2.0F));
    gradients.push_back(read("d_x"));
    EXPECT_EQ(input[0], 0.004F);
    EXPECT_GT(input[1], 1.0F);
    EXPECT_EQ(gradient[0], 1e-6F);
    EXPECT_GT(gradient[1], 0.0F);
  }
  EXPECT_EQ(gradients[0], gradients[1]);
}

}  // namespace
}  // namespace mantissa
